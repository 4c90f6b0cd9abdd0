// An official TypeScript client that does the benchmark's work.
//
//   node client.mjs sdk-1|sdk-2 SERVER
//
// Says {} once the handshake is done. Then reads loads, {"requests", "in_flight"},
// and answers each with its outcome: {"wall_ns", "latencies_ns", "result",
// "used_us", "waits"}; the last two are what this process has used so far. Ends
// with its stdin. Every message is a line of JSON.

import { createInterface } from 'node:readline';

const packages = {
  'sdk-1': ['@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/stdio.js'],
  'sdk-2': ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
};

const [name, command] = process.argv.slice(2);
const [{ Client }, { StdioClientTransport }] = await Promise.all(packages[name].map((path) => import(path)));

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const toNs = (milliseconds) => Math.round(milliseconds * 1e6);

// Both versions speak the legacy era by default.
const client = new Client({ name: 'caf-mcp-bench', version: '1' });
await client.connect(new StdioClientTransport({ command }));
const call = () => client.callTool({ name: 'echo', arguments: { message: 'hello' } });

const runSequential = async (requests) => {
  const latencies_ns = [];
  let result;
  let sent = performance.now();
  for (let i = 0; i < requests; ++i) {
    result = await call();
    const now = performance.now();
    latencies_ns.push(toNs(now - sent));
    sent = now;
  }
  return { latencies_ns, result };
};

// As many callers as requests in flight; each sends the next when its answer comes.
const runPipelined = async (requests, inFlight) => {
  let sent = 0;
  let result;
  const makeCalls = async () => {
    while (sent < requests) {
      ++sent;
      result = await call();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, makeCalls));
  return { latencies_ns: [], result };
};

say({});
for await (const line of createInterface({ input: process.stdin })) {
  const { requests, in_flight: inFlight } = JSON.parse(line);
  const start = performance.now();
  const seen = inFlight === 1 ? await runSequential(requests) : await runPipelined(requests, inFlight);
  const wall_ns = toNs(performance.now() - start);
  const { userCPUTime, systemCPUTime, voluntaryContextSwitches } = process.resourceUsage();
  say({ ...seen, wall_ns, used_us: userCPUTime + systemCPUTime, waits: voluntaryContextSwitches });
}
await client.close();
