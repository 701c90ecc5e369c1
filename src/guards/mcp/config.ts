/** The configuration of the proxy: a file in which the servers stand as in the configurations of MCP hosts, or one command. */
import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
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
      Type.Partial(
        Type.Object(
          {
            url: text('scoring API'),
            apiKeyFile: text("file with a gate's API key"),
            authUrl: text('auth service'),
            customerId: text('with authUrl: cosignatures are verified'),
            keysFile: text('public keys, where the auth service is not reachable'),
          },
          strict,
        ),
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

const validator = Compile(ConfigFile);

/** Reads a file. Throws with what is wrong, and where. */
export function readConfig(file: string, env: Environment): ProxyConfig {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`\`${file}\` cannot be read: ${(error as Error).message}`);
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

/** `npx -y @scope/server-x /path` → `server-x`: the first argument that is no option, else the command; without folders and ending. */
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
  if (!validator.Check(value)) {
    const [first] = [...validator.Errors(value)].toSorted((a, b) => b.instancePath.length - a.instancePath.length);
    const { instancePath = '', message = 'is not valid', params } = first ?? {};
    const named = (params as { additionalProperties?: string[] } | undefined)?.additionalProperties ?? [];
    throw new Error(`${where}: ${instancePath || 'the file'} ${message}${named.map((key) => ` \`${key}\``).join(',')}`);
  }
  const config = value as ProxyConfig;
  for (const name of Object.keys(config.mcpServers)) {
    if (!SERVER_NAME.test(name))
      throw new Error(
        `${where}: the server name \`${name}\` may have letters, digits and single \`-\`, \`_\` or \`.\` between`,
      );
  }
  return { ...config, mcpServers: withEnvironment(config.mcpServers, where, env) };
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
