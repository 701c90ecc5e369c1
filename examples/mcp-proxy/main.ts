/**
 * `node examples/mcp-proxy/main.ts [--name NAME] [--actions FILE] -- COMMAND [ARGUMENT …]`: an MCP server that is another MCP
 * server with a gate in front. The environment says where Weir is (`gateFromEnvironment`); WEIR_AGENT_ID names the agent.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { gateFromEnvironment } from '../gate.ts';
import { runProxy } from './proxy.ts';

// Standard output belongs to the protocol.
const say = (text: string): void => console.error(`weir-mcp-proxy: ${text}`);

try {
  const { values, positionals } = parseArgs({
    options: { name: { type: 'string' }, actions: { type: 'string' } },
    allowPositionals: true,
  });
  const [command, ...args] = positionals;
  if (command === undefined) throw new Error('usage: main.ts [--name NAME] [--actions FILE] -- COMMAND [ARGUMENT …]');
  const agent_id = process.env['WEIR_AGENT_ID'];
  const host = new StdioServerTransport();
  // The server gets everything that the host gave, and nothing of ours: it is not for it to know the key.
  const passed = Object.entries(process.env).filter(
    (one): one is [string, string] => one[1] !== undefined && !one[0].startsWith('WEIR_'),
  );
  const server = new StdioClientTransport({ command, args, env: Object.fromEntries(passed), stderr: 'inherit' });
  process.stdin.once('end', () => void host.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void host.close());
  await runProxy({
    host,
    server,
    gate: gateFromEnvironment(process.env),
    actions: values.actions === undefined ? {} : JSON.parse(await readFile(values.actions, 'utf8')),
    ...(values.name && { server_name: values.name }),
    ...(agent_id && { agent_id }),
    say,
  });
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
