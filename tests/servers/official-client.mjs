// The official TypeScript client, which uses what a server offers, and prints
// what it got as one JSON document.
//
//   node official-client.mjs legacy|modern SERVER [ARG...]

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, command, ...args] = process.argv.slice(2);

const client = new Client(
  { name: 'official-client', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' },
  },
);
client.setRequestHandler('elicitation/create',
  async () => ({ action: 'accept', content: { name: 'Ada', age: 7 } }));
client.setRequestHandler('sampling/createMessage', async () => ({
  role: 'assistant', model: 'm', content: { type: 'text', text: 'yo' } }));
client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///a' }] }));

const heard = [];
const waiting = [];
const hear = (what) => {
  heard.push(what);
  waiting.splice(0).forEach((wake) => wake());
};
for (const list of ['tools', 'prompts', 'resources']) {
  client.setNotificationHandler(`notifications/${list}/list_changed`, () => hear(list));
}
client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));

// Waits until this many changes were heard of.
const hasHeard = async (count) => {
  while (heard.length < count) {
    await new Promise((resolve) => waiting.push(resolve));
  }
};

await client.connect(new StdioClientTransport({ command, args }));
const call = (name, params = {}, options = {}) => client.callTool({ name, arguments: params }, options);
const text = (result) => result.content[0].text;

const seen = { era: client.getProtocolEra(), version: client.getNegotiatedProtocolVersion() };
seen.tools = (await client.listTools()).tools.length > 5;
seen.echo = text(await call('echo', { message: 'hi' }));
seen.add = (await call('add', { a: 2, b: 40 })).structuredContent;
seen.ask = (await call('ask')).structuredContent;
seen.sample = (await call('sample', { prompt: 'hi' })).structuredContent.content.text;
seen.roots = (await call('roots')).structuredContent;
seen.read = (await client.readResource({ uri: 'demo://greeting' })).contents.length;
seen.prompt = (await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages.length;
seen.complete = (await client.complete({
  ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'style', value: 'p' } })).completion.values;
// The last report may come with the result, when the client does not listen any more.
await call('slow', { ms: 50, steps: 5 }, { onprogress: ({ progress }) => { seen.progress ??= progress; } });
seen.error = await call('no such tool').catch(({ code }) => code);

const uri = 'demo://greeting';
const subscription = era === 'modern'
  ? await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
  : await client.subscribeResource({ uri });
await call('touch', { list: 'tools' });
await hasHeard(1);
await call('touch', { uri });
await hasHeard(2);
if (era === 'modern') {
  await subscription.close();
} else {
  await client.unsubscribeResource({ uri });
}
await call('touch', { uri });
seen.heard = heard;

await client.close();
console.log(JSON.stringify(seen));
