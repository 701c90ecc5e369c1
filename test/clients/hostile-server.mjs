// An MCP server over standard input and output that misbehaves. Its first argument is a file with its tools, read for each list.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , definitions] = process.argv;
const line = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });

const CALLS = {
  echo: (id, args) => line({ id, result: text(JSON.stringify(args)) }),
  megabytes: (id, { count }) => line({ id, result: text('x'.repeat(count * 1024 * 1024)) }),
  silent: () => {},
  garbage: (id) => {
    process.stdout.write('{"jsonrpc": "2.0", "id": \n[]\nnull\n{"jsonrpc":"2.0","id":{},"result":7}\n');
    line({ id: 424242, result: text('nobody asked') });
    line({ id, result: text('after garbage') });
  },
  dies: () => process.exit(3),
  floods: (id, { count }) => {
    for (let i = 0; i < count; i += 1)
      line({ method: 'notifications/message', params: { level: 'info', data: `line ${i}` } });
    line({ id, result: text('flooded') });
  },
};

for await (const received of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(received);
  const state = JSON.parse(readFileSync(definitions, 'utf8'));
  if (state.log) appendFileSync(state.log, `${received}\n`);
  if (method === 'initialize') {
    line({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'trusted', version: '1' },
        ...(state.instructions && { instructions: state.instructions }),
      },
    });
  } else if (method === 'tools/list') {
    if (state.endless) line({ id, result: { tools: state.tools, nextCursor: `${Math.random()}` } });
    else line({ id, result: { tools: state.tools } });
  } else if (method === 'tools/call') {
    (CALLS[params.name] ?? CALLS.echo)(id, params.arguments);
  } else if (id !== undefined) line({ id, result: {} });
}
