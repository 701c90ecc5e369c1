/** The configuration of the proxy: a file in which the servers stand as in the configurations of MCP hosts, or one command. */
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { SERVER_NAME } from './names.ts';

const text = (description: string) => Type.String({ minLength: 1, description });
const texts = Type.Record(Type.String(), Type.String());
const strict = { additionalProperties: false };

const common = {
  isVerified: Type.Optional(Type.Boolean({ description: 'mcp_context.is_verified of its calls' })),
  actions: Type.Optional(texts),
};
const StdioServer = Type.Object(
  {
    ...common,
    type: Type.Optional(Type.Literal('stdio')),
    command: text('program'),
    args: Type.Optional(Type.Array(Type.String())),
    env: Type.Optional(texts),
    cwd: Type.Optional(text('folder in which it runs')),
  },
  strict,
);
const HttpServer = Type.Object(
  {
    ...common,
    type: Type.Optional(Type.Union([Type.Literal('http'), Type.Literal('streamable-http')])),
    url: text('streamable HTTP endpoint'),
    headers: Type.Optional(texts),
  },
  strict,
);

const ConfigFile = Type.Object(
  {
    mcpServers: Type.Record(Type.String(), Type.Union([StdioServer, HttpServer]), { minProperties: 1 }),
    weir: Type.Optional(
      // Not Type.Partial of an object: it loses `strict`, and a misspelt `keysFile` would switch the verification off.
      Type.Object(
        {
          url: Type.Optional(text('scoring API')),
          apiKeyFile: Type.Optional(text("file with a gate's API key")),
          authUrl: Type.Optional(text('auth service')),
          customerId: Type.Optional(text('with authUrl: cosignatures are verified')),
          keysFile: Type.Optional(text('public keys, where the auth service is not reachable')),
        },
        strict,
      ),
    ),
    agentId: Type.Optional(text("default: the host's name")),
    userId: Type.Optional(text('session.user_id')),
    waitSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: 3_600 })),
    unreachable: Type.Optional(Type.Union([Type.Literal('deny'), Type.Literal('allow')])),
    firstUse: Type.Optional(Type.Union([Type.Literal('pin'), Type.Literal('refuse')])),
    timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 86_400 })),
    maxResultBytes: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 256 * 1024 * 1024 })),
    stateDir: Type.Optional(text('pins, held events and used approvals')),
    userContextHeader: Type.Optional(text("header with the user's words, percent-encoded")),
    userIdHeader: Type.Optional(text('header with session.user_id')),
    listen: Type.Optional(text('ADDRESS:PORT for streamable HTTP')),
    tokenFile: Type.Optional(text('file with the bearer token that hosts must send')),
    allowedHosts: Type.Optional(Type.Array(Type.String())),
    allowedOrigins: Type.Optional(Type.Array(Type.String())),
  },
  strict,
);

export type ServerConfig = Static<typeof StdioServer> | Static<typeof HttpServer>;
export type ProxyConfig = Static<typeof ConfigFile>;

type Environment = Readonly<Record<string, string | undefined>>;

const checkFile = Compile(
  Type.Object(
    { ...ConfigFile.properties, mcpServers: Type.Record(Type.String(), Type.Unknown(), { minProperties: 1 }) },
    strict,
  ),
);
const checkStdio = Compile(StdioServer);
const checkHttp = Compile(HttpServer);

/** Reads a file. Throws with what is wrong, and where. */
export function readConfig(file: string, env: Environment): ProxyConfig {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`there is no file \`${file}\``);
    throw new Error(`\`${file}\` cannot be read${code === undefined ? ' as JSON' : ''}: ${message}`);
  }
  return checkConfig(value, `\`${file}\``, env);
}

/** The configuration of one server that a command starts. `name`: default from the command. */
export function oneServer([command, ...args]: readonly string[], name: string | undefined): ProxyConfig {
  if (command === undefined) throw new Error('there is neither --config FILE nor a command after `--`');
  const chosen = name ?? nameOf(command, args);
  if (!SERVER_NAME.test(chosen)) throw new Error(`\`${chosen}\` cannot be a server's name; give one with --name`);
  return { mcpServers: { [chosen]: { command, args } } };
}

/** `npx -y @scope/server-x /path` → `server-x`: the first argument that is not an option, else the command; without folders and ending. */
function nameOf(command: string, args: readonly string[]): string {
  const word = args.find((arg) => !arg.startsWith('-')) ?? command;
  const last = word.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const bare = last.replace(/@[^@]*$/, '').replace(/\.[a-z]{1,4}$/, '');
  return (
    bare
      .slice(0, 64)
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'server'
  );
}

function checkConfig(value: unknown, where: string, env: Environment): ProxyConfig {
  refuseFaults(checkFile.Check(value) ? [] : checkFile.Errors(value), '', where);
  const config = value as ProxyConfig;
  for (const [name, server] of Object.entries(config.mcpServers)) {
    // A server that names an address is one over HTTP, so the faults of the other kind would only confuse.
    const has_address = typeof server === 'object' && server !== null && 'url' in server;
    const check = has_address ? checkHttp : checkStdio;
    refuseFaults(check.Check(server) ? [] : check.Errors(server), `/mcpServers/${name}`, where);
    if (!SERVER_NAME.test(name))
      throw new Error(
        `${where}: the server name \`${name}\` may have letters, digits and single \`-\`, \`_\` or \`.\` between`,
      );
  }
  return { ...config, mcpServers: withEnvironment(config.mcpServers, where, env) };
}

/** Throws with every fault and its place; `at` is the place of the value that was checked. */
function refuseFaults(found: Iterable<TLocalizedValidationError>, at: string, where: string): void {
  // An unknown field is found twice: at the field, as a schema that is false, and at what holds it, with its name.
  const faults = [...found].filter(({ keyword }) => keyword !== 'boolean').map((error) => describeFault(error, at));
  if (faults.length > 0) throw new Error(`${where}: ${[...new Set(faults)].join('; ')}`);
}

function describeFault(error: TLocalizedValidationError, at: string): string {
  const place = `${at}${error.instancePath}`;
  const within = (name: string): string => `\`${place}/${name}\``;
  if (error.keyword === 'additionalProperties')
    return error.params.additionalProperties.map((name) => `${within(name)} is not a known field`).join('; ');
  if (error.keyword === 'required')
    return error.params.requiredProperties.map((name) => `${within(name)} is required`).join('; ');
  return `${place === '' ? 'the file' : `\`${place}\``} ${error.message}`;
}

/** `${NAME}` in commands, arguments, environments, addresses and headers: so that no secret has to stand in the file. */
function withEnvironment(
  servers: ProxyConfig['mcpServers'],
  where: string,
  env: Environment,
): ProxyConfig['mcpServers'] {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
        const found = env[name];
        if (found === undefined)
          throw new Error(`${where}: \`\${${name}}\` is used, and the environment has no ${name}`);
        return found;
      });
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  };
  return filled(servers) as ProxyConfig['mcpServers'];
}
