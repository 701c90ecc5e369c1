/** `weir mcp-proxy`: a gate in front of MCP servers, and `weir mcp-proxy pin`, which takes over what a server says of its tools. */

import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProxyConfig } from '../../guards/mcp/config.ts';
import { counted } from '../../lang/english.ts';
import { CliError, type Output, UsageError } from '../../platform/terminal/output.ts';
import { VERSION } from '../../platform/version.ts';

const EXAMPLES = `
A host of MCP servers starts it instead of the server. It asks Weir before each call of a tool; the key is in WEIR_API_KEY or the
file WEIR_API_KEY_FILE, the scoring API in WEIR_URL (http://127.0.0.1:8000). docs/guards.md has the configuration file.

Examples:
  weir mcp-proxy -- npx -y @modelcontextprotocol/server-filesystem ~/work
  weir mcp-proxy --config mcp.json
  weir mcp-proxy --config mcp.json --listen 127.0.0.1:7070 --token-file ~/.config/weir/mcp-token
  weir mcp-proxy pin --config mcp.json --server files
  weir mcp-proxy pin --name files -- npx -y @modelcontextprotocol/server-filesystem ~/work
`;

interface Common {
  config?: string;
  name?: string;
  stateDir?: string;
}

interface RunOptions extends Common {
  url?: string;
  apiKeyFile?: string;
  agentId?: string;
  verified?: true;
  wait?: number;
  unreachable?: 'deny' | 'allow';
  listen?: string;
  tokenFile?: string;
}

interface PinOptions extends Common {
  server?: string;
  yes?: true;
}

export function addMcpProxy(program: Command, output: Output): void {
  const proxy = program
    .command('mcp-proxy')
    .description('a gate in front of MCP servers')
    .enablePositionalOptions()
    .usage('[options] --config FILE | [options] -- COMMAND [ARGUMENT …]')
    .argument('[command...]', 'the MCP server, when there is no configuration file')
    .option('--config <file>', 'configuration with one or more servers')
    .option('--name <name>', "the server's name, without a configuration file; default: from its command")
    .option('--verified', 'the organisation trusts this server (mcp_context.is_verified)')
    .option('--url <url>', 'the scoring API')
    .option('--api-key-file <file>', "file with a gate's API key")
    .option('--agent-id <name>', "the agent's name in events; default: the host's")
    .option('--wait <seconds>', 'wait for a decision before a held call is answered; default: 0', seconds)
    .addOption(new Option('--unreachable <answer>', 'when Weir does not answer').choices(['deny', 'allow']))
    .option('--state-dir <folder>', 'pins, held events and used approvals; default: ~/.local/state/weir')
    .option('--listen <address>', 'streamable HTTP for hosts at ADDRESS:PORT instead of standard input and output')
    .option('--token-file <file>', 'with --listen: file with the bearer token that hosts must send')
    .addHelpText('after', EXAMPLES)
    .action((command: string[], options: RunOptions) => run(command, options));
  proxy
    .command('pin')
    .description('accept the current tool descriptions of a server; shows the difference first')
    .argument('[command...]', 'the MCP server, when there is no configuration file')
    .option('--config <file>', 'configuration with the server')
    .option('--server <name>', 'which server of the configuration; default: the only one')
    .option('--name <name>', "the server's name, without a configuration file; default: from its command")
    .option('--state-dir <folder>', 'where pins are kept; default: ~/.local/state/weir')
    .option('--yes', 'write without asking')
    .action((command: string[], options: PinOptions) => pin(command, options, output));
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new InvalidArgumentError('it must be a number of seconds, 0 or more.');
  return value;
}

/** The file, or the command after `--`; options of the command line come before the file's. */
async function configured(command: readonly string[], { config, name, stateDir }: Common): Promise<ProxyConfig> {
  const { oneServer, readConfig } = await import('../../guards/mcp/config.ts');
  if (config !== undefined && (command.length > 0 || name !== undefined))
    throw new UsageError('--config names the servers: give no --name and no command beside it');
  try {
    const read = config === undefined ? oneServer(command, name) : readConfig(config, process.env);
    return { ...read, ...(stateDir !== undefined && { stateDir }) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(command: readonly string[], options: RunOptions): Promise<void> {
  const { url, apiKeyFile, agentId, verified, wait, unreachable, listen, tokenFile } = options;
  const read = await configured(command, options);
  const isVerified = { ...(verified && { isVerified: true }) };
  const servers = Object.entries(read.mcpServers).map(([name, server]) => [name, { ...server, ...isVerified }]);
  const config: ProxyConfig = {
    ...read,
    mcpServers: Object.fromEntries(servers) as ProxyConfig['mcpServers'],
    weir: { ...read.weir, ...(url && { url }), ...(apiKeyFile && { apiKeyFile }) },
    ...(agentId && { agentId }),
    ...(wait !== undefined && { waitSeconds: wait }),
    ...(unreachable && { unreachable }),
    ...(listen && { listen }),
    ...(tokenFile && { tokenFile }),
  };
  if (verified && options.config !== undefined)
    throw new UsageError('--verified is for one server; in a configuration file each has its own `isVerified`');
  const { runProxy } = await import('../../guards/mcp/main.ts');
  try {
    await runProxy(config, process.env, VERSION);
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}

async function pin(command: readonly string[], options: PinOptions, output: Output): Promise<void> {
  const config = await configured(command, options);
  const names = Object.keys(config.mcpServers);
  const name = options.server ?? (names.length === 1 ? names[0]! : '');
  const server = Object.hasOwn(config.mcpServers, name) ? config.mcpServers[name] : undefined;
  if (server === undefined) throw new UsageError(`--server must be one of ${names.join(', ')}`);
  const { planPins, writePlan } = await import('../../guards/mcp/pin.ts');
  const { stateDirOf } = await import('../../guards/mcp/main.ts');
  let plan: Awaited<ReturnType<typeof planPins>>;
  try {
    plan = await planPins(name, server, stateDirOf(config, process.env), VERSION);
  } catch (error) {
    throw new CliError(`the server \`${name}\` cannot be read: ${(error as Error).message}`);
  }
  const pinned = `${counted(plan.count, 'definition is', 'definitions are')} pinned`;
  if (plan.difference === '') return output.line(`${name}: ${pinned}, and nothing has changed.`);
  await output.line(`${plan.difference}\n`);
  if (!options.yes && !(await isConfirmed()))
    return output.line('Nothing was pinned. Run it with --yes to pin what is shown.');
  await writePlan(plan);
  await output.line(`${name}: ${pinned}.`);
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question('Pin it? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(said.trim());
}
