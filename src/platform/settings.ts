/**
 * Every setting, as a row: an environment variable, how it is read, its default, and what it is for.
 * `weir config` and the documentation are made from these rows. To add a setting, add a row.
 */
import { type Reader, readers } from './setting-readers.ts';

export interface SettingRow<T> extends Reader<T> {
  default: T;
  doc: string;
  /** Never printed. */
  is_secret?: true;
  /** Part of the contract, read and checked, but without effect in this version; a start with it set says so. */
  is_reserved?: true;
}

const { text, url, port, integer, decimal, flag, choice, uuid, apiKey } = readers;
const redis = url('redis', 'rediss');
const postgres = url('postgres', 'postgresql');
const http = url('http', 'https');
const levels = choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent');
const partitions = choice('month', 'day');
const llmProviders = choice('anthropic', 'openai', 'openai-compatible');
const price = decimal(0, 10_000);
const thresholds = choice('none', 'low', 'medium', 'high', 'critical');

export const settingRows = {
  HOST: row(text(255), '127.0.0.1', 'Address that every port binds to.'),
  PORT: row(port, 8000, 'Port of the scoring API; 0 takes a free one.'),
  AUTH_PORT: row(port, 8001, 'Port of the auth service; 0 takes a free one.'),
  GRPC_PORT: row(port, 50051, 'Port of the gRPC service; 0 takes a free one.'),
  METRICS_PORT: optional(
    port,
    'Port of GET /metrics and /health without credentials; 0 takes a free one. Not set: none.',
  ),
  DATA_DIR: row(text(4096), './data', 'Directory for durable data when DATABASE_URL is not set.'),
  LOG_LEVEL: row(levels, 'info', 'Log level: trace, debug, info, warn, error, fatal or silent.'),
  DATABASE_URL: optional(postgres, 'PostgreSQL to use. Not set: an embedded one in DATA_DIR.', 'secret'),
  DATABASE_CONNECTIONS: row(
    integer(2, 1_000),
    8,
    'Most database connections of one process for requests and workers; it opens up to 8 more for writes, histories, graphs and notices.',
  ),
  STORE_PATIENCE: row(
    integer(1, 1_000),
    1,
    'Factor of the time limits of calls to the database (1 s for a connection, 2 s for a statement) and to Redis (0.5 s): more where machine or network are slow.',
  ),
  EVENT_PARTITION: row(partitions, 'month', 'Time that one partition of the stored events holds: month or day.'),
  RETENTION_DAYS: row(
    integer(0, 36_500),
    0,
    'Days after which stored events are dropped, in whole partitions; 0: never.',
  ),
  REDIS_URL: optional(redis, 'Redis for shared short-lived state. Not set: this process keeps its own.', 'secret'),
  NATS_URL: optional(
    url('nats', 'tls'),
    'NATS that announces work to workers, with name and password where it asks for them. Not set, or while it is away: the database does.',
    'secret',
  ),
  NATS_PREFIX: row(text(32, /^[a-z][a-z0-9_]*$/), 'weir', 'Prefix of the names of streams and subjects in NATS.'),
  GRAPH_ENABLED: row(
    flag,
    true,
    'Whether the compliance graph and the graph of activity are kept and answer; false: justifications use the ontology in memory.',
  ),
  GRAPH_DB_URL: optional(
    url('falkor', 'falkors'),
    'FalkorDB that answers questions to graphs. Not set, or while it is away: PostgreSQL does.',
    'secret',
  ),
  LLM_PROVIDER: optional(
    llmProviders,
    'Language model that is asked where the rules are unsure: anthropic, openai or openai-compatible (vLLM, Ollama, LiteLLM). Not set: none.',
  ),
  LLM_MODEL: optional(text(128), 'Model of the LLM provider, as the provider names it.'),
  LLM_API_KEY: optional(text(4096), 'Key of the LLM provider.', 'secret'),
  LLM_BASE_URL: optional(
    http,
    'Base URL of the LLM provider, with its version, such as http://127.0.0.1:11434/v1.',
    'secret',
  ),
  LLM_TIMEOUT_MS: row(
    integer(100, 120_000),
    5_000,
    'Milliseconds that a score waits for the LLM at most; then it is the score of the rules.',
  ),
  LLM_JUSTIFICATION_TIMEOUT_MS: row(
    integer(100, 120_000),
    20_000,
    'Milliseconds that a justification waits for the LLM at most; then it is that of the rules.',
  ),
  LLM_CONFIDENCE_BELOW: row(decimal(0, 1), 0.8, 'The LLM is asked about scores whose confidence is lower.'),
  LLM_CALLS_PER_HOUR: row(
    integer(0, 100_000_000),
    1_000,
    'Calls of the LLM for one customer in an hour; 0 means no limit. Beyond it, scores are those of the rules.',
  ),
  LLM_CONCURRENCY: row(integer(1, 1_024), 16, 'Calls of the LLM at a time, of one process.'),
  LLM_MAX_OUTPUT_TOKENS: row(
    integer(64, 100_000),
    1_024,
    'Tokens that the LLM may write in one answer, its reasoning included.',
  ),
  LLM_PRICE_INPUT: optional(price, 'US dollars for a million tokens that the LLM reads. Not set: no cost is reported.'),
  LLM_PRICE_OUTPUT: optional(
    price,
    'US dollars for a million tokens that the LLM writes. Not set: no cost is reported.',
  ),
  SCORING_THREADS: optional(
    integer(0, 64),
    'Threads that score: half of them, rounded down, small events that come together, the others large ones; 0 scores all where requests are read. Not set: as many as processors, at most 2.',
  ),
  GNN_ENABLED: row(flag, true, 'Whether the learned structural layer takes part in scoring.'),
  AUTH_MAX_DELEGATION_DEPTH: row(integer(0, 16), 3, 'Longest chain of subagents.'),
  AUTH_SERVICE_NAME: row(text(64), 'weir-auth', 'Name that the auth service gives in its health answer.'),
  AUTH_ADMIN_KEY: optional(
    text(4096),
    'Bearer key that the auth service requires of operators. Not set: one in DATA_DIR/admin-key.',
    'secret',
  ),
  AUTH_TRUST_NETWORK: row(
    flag,
    false,
    'The auth service takes calls without credentials: for a network that only operators reach.',
  ),
  AUTH_PUBLIC_URL: optional(
    http,
    'Where people reach the auth service, for links and for the OpenID provider. Not set: its own address.',
  ),
  OIDC_ISSUER: optional(http, 'OpenID provider at which people sign in, with OIDC_CLIENT_ID.'),
  OIDC_CLIENT_ID: optional(
    text(256),
    'Client of the OpenID provider; it redirects to AUTH_PUBLIC_URL/sign-in/oidc/callback.',
  ),
  OIDC_CLIENT_SECRET: optional(text(4096), 'Secret of that client; not set: a public client.', 'secret'),
  TOKEN_PREFIX: row(text(16, /^[a-z][a-z0-9]*$/), 'weir', 'Prefix of every key and token.'),
  MASTER_KEY: optional(
    text(4096),
    'Encrypts private keys at rest; the same on every node. Not set: one in DATA_DIR/master.key.',
    'secret',
  ),
  HOLD_THRESHOLD: row(
    thresholds,
    'high',
    'Risk level from which an event is held; none turns holding off; a policy may differ.',
  ),
  HOLD_TTL_MINUTES: row(integer(1, 525_600), 1_440, 'Minutes after which an undecided hold expires.'),
  WEBHOOK_ALLOW_PRIVATE: row(flag, false, 'Lets webhooks go to private addresses and plain http: for development.'),
  SMTP_URL: optional(
    url('smtp', 'smtps'),
    'Mail server for messages to people, such as smtps://name:password@mail.example.com. Not set: no mail.',
    'secret',
  ),
  SMTP_FROM: optional(text(254), 'Sender of mail, with SMTP_URL.'),
  AUTH_RATE_LIMIT_RPM: row(
    integer(0, 100_000_000),
    60_000,
    'Requests per minute that one address may send to the auth service; 0 means no limit.',
  ),
  RATE_LIMIT_RPM: row(
    integer(0, 100_000_000),
    0,
    'Requests per minute that one API key may make, on all nodes that share Redis together; 0 means no limit.',
  ),
  CUSTOMER_RATE_LIMIT_RPM: row(
    integer(0, 100_000_000),
    0,
    'Requests per minute that one customer may make with all its API keys; 0 means no limit.',
  ),
  BOOTSTRAP_CUSTOMER_ID: optional(uuid, 'With BOOTSTRAP_API_KEY: the customer that the key belongs to.'),
  BOOTSTRAP_API_KEY: optional(apiKey, 'With BOOTSTRAP_CUSTOMER_ID: an API key that exists after the start.', 'secret'),
} as const satisfies Record<string, SettingRow<unknown>>;

export type SettingName = keyof typeof settingRows;

/** The effective settings; `null` is «not set». */
export type Settings = { readonly [K in SettingName]: (typeof settingRows)[K]['default'] };

export type LogLevel = Settings['LOG_LEVEL'];

/** A setting that cannot be used. The message is one line: the variable, what is wrong, what to write. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Reads and checks every setting. An empty variable counts as not set. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const entries = Object.entries(settingRows).map(([name, setting]) => [name, readSetting(name, setting, env[name])]);
  const settings = Object.fromEntries(entries) as Settings;
  if ((settings.BOOTSTRAP_CUSTOMER_ID === null) !== (settings.BOOTSTRAP_API_KEY === null)) {
    throw new SettingsError('BOOTSTRAP_CUSTOMER_ID and BOOTSTRAP_API_KEY belong together: set both or neither');
  }
  if ((settings.OIDC_ISSUER === null) !== (settings.OIDC_CLIENT_ID === null))
    throw new SettingsError('OIDC_ISSUER and OIDC_CLIENT_ID belong together: set both or neither');
  checkHoldsAreKept(settings);
  checkLlm(settings);
  return settings;
}

const MINUTES_PER_DAY = 1_440;

/** A held event that is dropped before a decision would end without a decision and without a message. */
function checkHoldsAreKept({ RETENTION_DAYS, HOLD_TTL_MINUTES }: Settings): void {
  if (RETENTION_DAYS === 0 || HOLD_TTL_MINUTES <= RETENTION_DAYS * MINUTES_PER_DAY) return;
  throw new SettingsError(
    `HOLD_TTL_MINUTES: \`${HOLD_TTL_MINUTES}\` exceeds the retention of events; write at most ${RETENTION_DAYS * MINUTES_PER_DAY}, or raise RETENTION_DAYS`,
  );
}

/** What a provider needs besides its name. */
function checkLlm({ LLM_PROVIDER, LLM_MODEL, LLM_API_KEY, LLM_BASE_URL }: Settings): void {
  if (LLM_PROVIDER === null) return;
  if (LLM_MODEL === null) throw new SettingsError(`LLM_MODEL is missing: name a model of \`${LLM_PROVIDER}\``);
  if (LLM_PROVIDER === 'openai-compatible') {
    if (LLM_BASE_URL === null)
      throw new SettingsError('LLM_BASE_URL is missing: `openai-compatible` needs the address of the server');
  } else if (LLM_API_KEY === null) {
    throw new SettingsError(`LLM_API_KEY is missing: \`${LLM_PROVIDER}\` needs a key`);
  }
}

function readSetting(name: string, setting: SettingRow<unknown>, text: string | undefined): unknown {
  if (text === undefined || text === '') return setting.default;
  const value = setting.read(text);
  if (value !== undefined) return value;
  const shown = setting.is_secret ? 'its value' : `\`${text.slice(0, 100)}\``;
  throw new SettingsError(`${name}: ${shown} is not valid; write ${setting.expects}`);
}

export interface ShownSetting {
  name: string;
  /** Masked when it is a secret; '' when it is not set. */
  value: string;
  default: string;
  doc: string;
  is_reserved: boolean;
}

/** The effective values for a person to read, secrets masked. */
export function showSettings(settings: Settings): ShownSetting[] {
  return Object.entries<SettingRow<unknown>>(settingRows).map(([name, setting]) => {
    const value = settings[name as SettingName];
    return {
      name,
      value: value === null ? '' : setting.is_secret ? '********' : String(value),
      default: setting.default === null ? '' : String(setting.default),
      doc: setting.doc,
      is_reserved: setting.is_reserved === true,
    };
  });
}

/** Names of settings that are set and have no effect in this version. */
export function unusedSettings(env: Record<string, string | undefined>): string[] {
  return Object.entries<SettingRow<unknown>>(settingRows)
    .filter(([name, setting]) => setting.is_reserved && env[name])
    .map(([name]) => name);
}

function row<T>(reader: Reader<T>, value: NoInfer<T>, doc: string): SettingRow<T> {
  return { ...reader, default: value, doc };
}

function optional<T>(reader: Reader<T>, doc: string, secrecy?: 'secret'): SettingRow<T | null> {
  return { ...reader, default: null, doc, ...(secrecy && { is_secret: true }) };
}
