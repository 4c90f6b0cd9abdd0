// A small server on the official TypeScript SDK that speaks the 2026-07-28
// revision, and the legacy ones too unless told otherwise.
//
//   node modern-server.mjs            both eras, chosen by how the client opens
//   node modern-server.mjs --modern   modern only: `initialize` gets an error

import {
  McpServer,
  acceptedContent,
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
    { instructions: `Serves the ${era} era.` },
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

  // Says that the list of tools changed, to whoever listens for that.
  server.registerTool('touch', { title: 'Touch' }, async () => {
    server.sendToolListChanged();
    return text('touched');
  });

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
