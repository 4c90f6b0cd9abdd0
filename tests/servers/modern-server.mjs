// A small server on the official TypeScript SDK that speaks the 2026-07-28
// revision, and the legacy ones too unless told otherwise.
//
//   node modern-server.mjs            both eras, chosen by how the client opens
//   node modern-server.mjs --modern   modern only: `initialize` gets an error

import {
  McpServer,
  acceptedContent,
  completable,
  inputRequired,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

const answerSchema = z.object({
  name: z.string(),
  age: z.number().int().default(42),
});

function makeServer({ era }) {
  const server = new McpServer(
    { name: 'modern-test-server', title: 'Modern test server', version: '1.0.0' },
    {
      instructions: `Serves the ${era} era.`,
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
    },
  );

  server.registerTool('echo', {
    title: 'Echo',
    description: 'Returns the message.',
    inputSchema: z.object({ message: z.string() }),
  }, async ({ message }) => text(message));

  server.registerTool('add', {
    title: 'Add',
    description: 'Returns the sum of two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  }, async ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));

  // One input round in the modern era; one elicitation/create request from the
  // server in the legacy era, which the SDK makes of the same return value.
  server.registerTool('ask', {
    title: 'Ask',
    description: 'Asks the user for a name and an age.',
  }, async (context) => {
    const responses = context.mcpReq.inputResponses;
    if (!responses?.who) {
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({ message: 'Who are you?', requestedSchema: answerSchema }),
        },
        requestState: 'round "1" \\ of 1',
      });
    }
    const answer = acceptedContent(responses, 'who');
    return text(answer ? JSON.stringify(answer) : responses.who.action);
  });

  // Three rounds, with three questions at a time in the second one.
  server.registerTool('interview', { title: 'Interview' }, async (context) => {
    const state = context.mcpReq.requestState?.() ?? 'start';
    const responses = context.mcpReq.inputResponses ?? {};
    const form = (message) => inputRequired.elicit({ message, requestedSchema: answerSchema });
    if (state === 'start') {
      return inputRequired({ inputRequests: { first: form('One?') }, requestState: 'one' });
    }
    if (state === 'one') {
      return inputRequired({
        inputRequests: { a: form('Two a?'), b: form('Two b?'), c: form('Two c?') },
        requestState: JSON.stringify({ first: responses.first.action }),
      });
    }
    if (!state.startsWith('three')) {
      const seen = ['a', 'b', 'c'].map((key) => responses[key].action);
      return inputRequired({ inputRequests: { last: form('Three?') },
        requestState: `three ${JSON.parse(state).first} ${seen}` });
    }
    return text(`${state} ${responses.last.action}`);
  });

  // One of each kind of input, at a time.
  server.registerTool('ask_all', { title: 'Ask all' }, async (context) => {
    const responses = context.mcpReq.inputResponses;
    if (responses) {
      return text(JSON.stringify(responses));
    }
    return inputRequired({
      inputRequests: {
        page: inputRequired.elicitUrl({ message: 'Pay?', url: 'https://example.com/pay' }),
        sample: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 }),
        roots: inputRequired.listRoots(),
      },
    });
  });

  // Reports its progress, and logs once it is done.
  server.registerTool('work', {
    title: 'Work', inputSchema: z.object({ steps: z.number() }),
  }, async ({ steps }, context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= steps; ++progress) {
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: steps, message: `step ${progress}` } });
    }
    await context.mcpReq.log('info', `worked ${steps}`, 'worker');
    return text('done');
  });

  // Waits until it is cancelled; `cancelled` says how often it was.
  let cancelled = 0;
  server.registerTool('wait', { title: 'Wait' }, async (context) => {
    const { signal } = context.mcpReq;
    await new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', resolve);
    });
    ++cancelled;
    return text('too late');
  });
  server.registerTool('cancelled', { title: 'Cancelled' }, async () => text(String(cancelled)));

  server.registerTool('meta', { title: 'Meta' },
    async (context) => text(JSON.stringify(context.mcpReq._meta ?? {})));

  // Says that the list of tools changed, to whoever listens for that.
  server.registerTool('touch', { title: 'Touch' }, async () => {
    server.sendToolListChanged();
    return text('touched');
  });

  // The same of everything else that may change.
  server.registerTool('touch_all', { title: 'Touch all' }, async () => {
    server.sendPromptListChanged();
    server.sendResourceListChanged();
    await server.server.sendResourceUpdated({ uri: 'test://greeting' });
    return text('touched');
  });

  server.registerResource('private', 'test://private', {}, async (uri, context) => {
    const responses = context.mcpReq.inputResponses;
    return responses ? { contents: [{ uri: uri.href, text: responses.who.action }] }
      : inputRequired({ inputRequests: {
        who: inputRequired.elicit({ message: 'Who reads?', requestedSchema: answerSchema }) } });
  });

  server.registerPrompt('personal', {}, async (context) => {
    const responses = context.mcpReq.inputResponses;
    return responses
      ? { messages: [{ role: 'user', content: { type: 'text', text: responses.who.action } }] }
      : inputRequired({ inputRequests: {
        who: inputRequired.elicit({ message: 'Who are you?', requestedSchema: answerSchema }) } });
  });

  server.registerPrompt('colour', {
    argsSchema: z.object({ colour: completable(z.string(),
      (value) => ['red', 'rose', 'green'].filter((each) => each.startsWith(value))) }),
  }, ({ colour }) => ({ messages: [{ role: 'user', content: { type: 'text', text: colour } }] }));

  server.registerResource('greeting', 'test://greeting', { mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'hello' }] }));

  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] }));

  return server;
}

serveStdio(makeServer, {
  legacy: process.argv.includes('--modern') ? 'reject' : 'serve',
  onerror: (error) => console.error(`modern-server: ${error.message}`),
});
