#!/usr/bin/env node
// Makes a server that speaks Streamable HTTP a stdio server: http-bridge.mjs URL
//
// Lines go out in their order, but a request's answer is not waited for. Headers follow MCP, Transports, Streamable
// HTTP. Not for production: no resumption, no authorisation.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const url = process.argv[2];
const session = {};

const deliver = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function headers(message) {
  const version = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...session,
    ...(version && { 'mcp-protocol-version': version }),
  };
}

async function deliverEvents(stream) {
  let data = '';
  for await (const line of createInterface({ input: Readable.fromWeb(stream) })) {
    if (line.startsWith('data:')) data += line.slice(5);
    else if (line === '' && data.trim() !== '') {
      deliver(JSON.parse(data));
      data = '';
    }
  }
}

async function deliverBody(response) {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return deliverEvents(response.body);
  }
  const text = await response.text();
  if (text !== '') deliver(JSON.parse(text));
}

// What the server says unasked comes by a stream of its own, if it has one.
async function openStream() {
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...session } });
  if (response.ok) deliverBody(response).catch(fail);
}

async function forward(message) {
  const response = await fetch(url, { method: 'POST', headers: headers(message), body: JSON.stringify(message) });
  const id = response.headers.get('mcp-session-id');
  if (id) session['mcp-session-id'] = id;
  if (message.method === 'initialize') {
    const answer = await response.clone().text();
    const version = /"protocolVersion":\s*"([^"]+)"/.exec(answer)?.[1];
    if (version) session['mcp-protocol-version'] = version;
  }
  if (message.method === 'notifications/initialized') await openStream();
  await deliverBody(response);
}

function fail(error) {
  console.error('http-bridge:', error);
  process.exit(1);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const sent = forward(message).catch(fail);
  if (message.id === undefined) await sent;
}
process.exit(0);
