/** One MCP server behind the proxy: started when it is needed, started anew after it has ended, and bounded in time and size. */
import { existsSync } from 'node:fs';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Result, ResultSchema, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { boundedFetch } from './bounded-fetch.ts';
import type { ServerConfig } from './config.ts';
import { type Extra, isObject, type Params, Peer, textOf } from './peer.ts';

/** What the host said of itself; the server gets it as if the host had started it. */
export interface Greeting {
  protocolVersion: string;
  capabilities: Params;
  clientInfo: Params;
}

export interface ServerOptions {
  name: string;
  config: ServerConfig;
  timeout_ms: number;
  /** Of one result. A message that is four times as long ends the connection. */
  max_result_bytes: number;
  onRequest: (method: string, params: Params | undefined, extra: Extra) => Promise<Result>;
  onNotification: (method: string, params: Params | undefined) => Promise<void>;
  /** For people. */
  say: (text: string) => void;
}

/** `npx` may have to install it first. */
const START_MS = 120_000;
/** A request that makes progress may take this many times as long. */
const LONGEST = 10;
const MAX_PAGES = 100;
const MAX_ITEMS = 5_000;
/** Problems that are told of one connection: some servers print their log to standard output. */
const MAX_TOLD = 20;
const MAX_WAITING = 1_000;

export class McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly config: ServerConfig;
  readonly #options: ServerOptions;
  #greeting: Greeting | null = null;
  #peer: Promise<Peer> | null = null;
  /** Also while it is connecting, so that closing does not wait for a server that never answers. */
  #newest: Peer | null = null;
  #is_initialized = false;
  #greeted: Result = {};

  constructor(options: ServerOptions) {
    this.name = options.name;
    this.config = options.config;
    this.transport = 'command' in options.config ? 'stdio' : 'http';
    this.#options = options;
  }

  /** Connects and returns what the server says of itself. */
  async greet(greeting: Greeting): Promise<Result> {
    this.#greeting = greeting;
    await this.#connected();
    return this.#greeted;
  }

  /** What it offers; empty before it was greeted. */
  get capabilities(): Params {
    const { capabilities } = this.#greeted as { capabilities?: unknown };
    return isObject(capabilities) ? capabilities : {};
  }

  /** Throws what the server answered, or `McpError` when it did not answer in time or has ended. */
  async request(method: string, params: Params | undefined, options: RequestOptions = {}): Promise<Result> {
    const timeout = options.timeout ?? this.#options.timeout_ms;
    const limits = { timeout, maxTotalTimeout: timeout * LONGEST, resetTimeoutOnProgress: true };
    const peer = await this.#connected();
    try {
      const request = { method, ...(params !== undefined && { params }) };
      return await peer.request(request, ResultSchema, { ...limits, ...options });
    } catch (error) {
      // The server has forgotten the session, as after a restart: the next request makes a new one. Some say 400 then.
      if (error instanceof StreamableHTTPError && (error.code === 404 || error.code === 400)) await this.close();
      throw error;
    }
  }

  /** All pages of a list. */
  async list(method: string, key: string): Promise<Params[]> {
    const items: Params[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; seen.size < MAX_PAGES && items.length < MAX_ITEMS; ) {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      const found = page[key];
      if (Array.isArray(found)) items.push(...found.filter(isObject));
      cursor = textOf(page['nextCursor']);
      if (cursor === undefined || seen.has(cursor)) return items;
      seen.add(cursor);
    }
    throw new Error(`the server \`${this.name}\` has more than ${MAX_ITEMS} entries in its list`);
  }

  async notify(method: string, params: Params | undefined): Promise<void> {
    if (method === 'notifications/initialized') this.#is_initialized = true;
    if (this.#peer === null) return;
    await (await this.#peer).notification({ method, ...(params !== undefined && { params }) });
  }

  async close(): Promise<void> {
    this.#peer = null;
    await this.#newest?.close();
  }

  #connected(): Promise<Peer> {
    if (this.#peer !== null) return this.#peer;
    const connecting: Promise<Peer> = this.#connect(() => {
      if (this.#peer === connecting) this.#peer = null;
    });
    this.#peer = connecting;
    connecting.catch(() => {
      if (this.#peer === connecting) this.#peer = null;
    });
    return connecting;
  }

  async #connect(onEnd: () => void): Promise<Peer> {
    const { onRequest, onNotification, say, name } = this.#options;
    const peer = new Peer();
    this.#newest = peer;
    let told = 0;
    let waiting = 0;
    const transport = this.#makeTransport(() => void peer.close());
    peer.onerror = ({ message }) => {
      told += 1;
      if (told <= MAX_TOLD) say(`${name}: ${message.slice(0, 300)}`);
    };
    peer.onclose = onEnd;
    // What a server asks is passed to a person or a model: more than so many at once is no use of them.
    const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
      if (waiting >= MAX_WAITING) throw new Error('the server sends faster than the host reads');
      waiting += 1;
      return work().finally(() => {
        waiting -= 1;
      });
    };
    peer.fallbackRequestHandler = ({ method, params }, extra) => bounded(() => onRequest(method, params, extra));
    peer.fallbackNotificationHandler = ({ method, params }) => bounded(() => onNotification(method, params));
    await peer.connect(transport).catch((error: unknown) => Promise.reject(explained(error, this.config)));
    try {
      await this.#initialize(peer, transport);
      return peer;
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  async #initialize(peer: Peer, transport: Transport): Promise<void> {
    if (this.#greeting === null) throw new Error('the host has not initialized the session');
    const params = { ...this.#greeting };
    const greeted = await peer.request({ method: 'initialize', params }, ResultSchema, { timeout: START_MS });
    const version = String(greeted['protocolVersion']);
    if (!SUPPORTED_PROTOCOL_VERSIONS.includes(version))
      throw new Error(`it speaks version ${version.slice(0, 40)} of MCP, which is not known`);
    transport.setProtocolVersion?.(version);
    this.#greeted = greeted;
    if (this.#is_initialized) await peer.notification({ method: 'notifications/initialized' });
  }

  #makeTransport(drop: () => void): Transport {
    const { config, max_result_bytes, say, name } = this.#options;
    const max_bytes = max_result_bytes * 4;
    if ('command' in config) {
      const { command, args = [], cwd, env = {} } = config;
      return new StdioClientTransport({
        command,
        args,
        env: { ...passedEnvironment(), ...env },
        stderr: 'inherit',
        maxBufferSize: max_bytes,
        ...(cwd !== undefined && { cwd }),
      });
    }
    const exceeded = (): void => {
      say(`${name}: an answer is longer than ${max_bytes} bytes; the connection is closed`);
      drop();
    };
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers ?? {} },
      fetch: boundedFetch(max_bytes, exceeded),
      // With `exactOptionalPropertyTypes` the SDK's own transports do not fit its interface.
    }) as Transport;
  }
}

/** Why a server's process was not started, with what the user has to correct. */
function explained(error: unknown, config: ServerConfig): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (!('command' in config) || (code !== 'ENOENT' && code !== 'EACCES')) return error;
  const { command, cwd } = config;
  if (code === 'EACCES') return new Error(`the program \`${command}\` may not be run by this user`);
  if (cwd !== undefined && !existsSync(cwd)) return new Error(`there is no folder \`${cwd}\` to start it in`);
  const where = /[\\/]/.test(command) ? '' : ' on the PATH; install it, or give its full path';
  return new Error(`there is no program \`${command}\`${where}`);
}

/** A server gets what the host gave the proxy, and nothing of ours: it must not know the key. */
function passedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (one): one is [string, string] => one[1] !== undefined && !one[0].startsWith('WEIR_'),
    ),
  );
}
