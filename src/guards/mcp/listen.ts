/** Streamable HTTP toward hosts: each session has servers of its own. Requests of web pages and of strangers are refused. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { ProxyOptions } from './proxy-options.ts';
import { Session } from './session.ts';

export interface ListenOptions {
  /** `ADDRESS:PORT`; port 0 takes a free one. */
  address: string;
  /** The bearer token that hosts must send; `null`: none. */
  token: string | null;
  /** Values of `Host` beside the address itself. */
  allowed_hosts: readonly string[];
  /** Values of `Origin`. Hosts that are no web page send none. */
  allowed_origins: readonly string[];
}

const PATH = '/mcp';
const MAX_SESSIONS = 100;
/** A session that nothing was asked of for so long, and that holds no stream open, is closed. */
const IDLE_MS = 60 * 60 * 1_000;
const SWEEP_MS = 60_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface Open {
  session: Session;
  transport: StreamableHTTPServerTransport;
  requests: number;
  last_used: number;
}

/** Starts to listen. Throws when the address is not this machine's alone and there is no token. */
export async function listen(
  proxy: ProxyOptions,
  options: ListenOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const { host, port } = partsOf(options.address);
  if (options.token === null && !isLoopback(host))
    throw new Error(`--listen ${options.address} is reachable from other machines: it needs --token-file FILE`);
  const open = new Map<string, Open>();
  let hosts: ReadonlySet<string> = new Set();
  const server = createServer((request, response) => {
    const problem = problemWith(request, hosts, options);
    if (problem !== null) return refuse(response, ...problem);
    handle(request, response, open, proxy).catch((error: Error) => {
      proxy.say(`a request failed: ${error.message}`);
      if (!response.headersSent) refuse(response, 400, 'the request is not valid JSON-RPC');
      else response.destroy();
    });
  });
  const bound = await start(server, host, port);
  const names = isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [bracketed(host)];
  hosts = new Set([...names.map((name) => `${name}:${bound}`), ...options.allowed_hosts]);
  const sweep = setInterval(() => closeIdle(open), SWEEP_MS);
  return {
    url: `http://${bracketed(host)}:${bound}${PATH}`,
    close: async () => {
      clearInterval(sweep);
      await Promise.allSettled([...open.values()].map(({ session }) => session.close()));
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function partsOf(address: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? [];
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === '' || Number(port) > 65_535) throw new Error(`--listen takes ADDRESS:PORT, not \`${address}\``);
  return { host: bare, port: Number(port) };
}

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);

function start(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A page in a browser can reach loopback, also under a name that its owner points here: `Host` and `Origin` tell. */
function problemWith(
  { headers, url }: IncomingMessage,
  hosts: ReadonlySet<string>,
  { token, allowed_origins }: ListenOptions,
): [number, string] | null {
  const { host = '', origin } = headers;
  if (!hosts.has(host.toLowerCase())) return [403, `the Host header \`${host}\` is not this proxy; see allowedHosts`];
  if (origin !== undefined && !allowed_origins.includes(origin))
    return [403, `the Origin \`${origin}\` may not use this proxy; see allowedOrigins`];
  if (token !== null && !isToken(headers.authorization, token)) return [401, 'a bearer token is needed'];
  return url?.split('?')[0] === PATH ? null : [404, `the proxy is at ${PATH}`];
}

function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...challenge });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  open: Map<string, Open>,
  proxy: ProxyOptions,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const text = request.method === 'POST' ? await bodyOf(request) : '';
  if (text === null) return refuse(response, 413, `a body is longer than ${MAX_BODY_BYTES} bytes`);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const found = typeof id === 'string' ? open.get(id) : undefined;
  if (found !== undefined) return pass(found, request, response, body);
  if (id !== undefined) return refuse(response, 404, 'the session has ended; initialize a new one');
  if (!isInitializeRequest(body)) return refuse(response, 400, 'the first request of a session is `initialize`');
  if (open.size >= MAX_SESSIONS) return refuse(response, 503, `${MAX_SESSIONS} sessions are open`);
  return pass(await newSession(open, proxy), request, response, body);
}

async function newSession(open: Map<string, Open>, proxy: ProxyOptions): Promise<Open> {
  const session = new Session(proxy);
  const made: Open = {
    session,
    transport: new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, made),
      maxRequestBodySize: MAX_BODY_BYTES,
    }),
    requests: 0,
    last_used: Date.now(),
  };
  session.onend = () => void open.delete(made.transport.sessionId ?? '');
  // With `exactOptionalPropertyTypes` the SDK's own transports do not fit its interface.
  await session.connect(made.transport as Transport);
  return made;
}

async function pass(one: Open, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
  // The client has left and `close` was emitted already: the request would be counted for ever.
  if (response.destroyed) return;
  one.requests += 1;
  response.once('close', () => {
    one.requests -= 1;
    one.last_used = Date.now();
  });
  await one.transport.handleRequest(request, response, body);
}

/** `null` when it is too long; the rest is read and dropped, so that the answer arrives. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES * 4) request.destroy();
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return length > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function closeIdle(open: ReadonlyMap<string, Open>): void {
  for (const { session, requests, last_used } of open.values()) {
    if (requests === 0 && Date.now() - last_used > IDLE_MS) void session.close();
  }
}
