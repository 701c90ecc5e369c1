/**
 * The HTTP server: fastify with the defaults that matter set explicitly. Errors are problem details (RFC 9457), bodies
 * are strict JSON, slow senders are disconnected, and closing lets the requests in flight finish.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { type ErrorCode, StoreUnavailable, toProblem, WeirError } from '../errors.ts';
import { parseJson } from '../json/json.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { boundConnections, connectionOf, type PortBounds } from './connections.ts';

/** Longest body of endpoints that set no limit of their own. */
export const DEFAULT_BODY_BYTES = 1_048_576;
/** Time for a whole request to arrive. Node checks it every second, so a request ends within 10 s. */
const REQUEST_TIMEOUT_MS = 8_000;
const CHECK_INTERVAL_MS = 1_000;
const SWEEP_INTERVAL_MS = 20;
/** Time in which requests that were sent before the stop are still read. */
const LAST_CALL_MS = 50;
/** The longest time from opening a connection to its first request: a round trip between continents. */
const SILENCE_MS = 300;
/** Longer than the usual idle time-out of load balancers (60 s), so that they close first. */
const KEEP_ALIVE_MS = 72_000;
/** Longest path segment: an event_id of 128 characters, each up to 12 bytes when percent-encoded. */
const MAX_SEGMENT = 2_048;

export type Server = FastifyInstance;

/** `bounds`: of its connections. */
export function createServer(log: Log, bounds?: PortBounds): Server {
  const instance = randomBytes(4).toString('hex');
  let requests = 0;
  const newRequestId = (): string => `${instance}-${(++requests).toString(36)}`;
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: DEFAULT_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS },
    forceCloseConnections: 'idle',
    // Requests that reach us while closing are still answered, with `connection: close`.
    return503OnClosing: false,
    // Load balancers and monitors ask for health with HEAD.
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: MAX_SEGMENT },
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, newRequestId()),
  }) as unknown as Server;
  // `validate.ts` validates values and answers are plain JSON: one code path for every door.
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.setErrorHandler(sendError);
  const methodsAt = rememberPaths(server);
  server.setNotFoundHandler((request, reply) => {
    const path = request.raw.url!.replace(/\?.*$/s, '');
    const methods = methodsAt(path);
    const is_other_method = methods.length > 0 && !methods.includes(request.method);
    if (is_other_method) reply.header('allow', methods.join(', '));
    sendError(is_other_method ? otherMethod(request.method, methods) : noEndpoint(methods), request, reply);
  });
  server.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    done();
  });
  // Not when the request arrives: a request that was in flight when the stop began must be told as well.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (leaving.has(server)) reply.header('connection', 'close');
    done();
  });
  acceptJson(server);
  closeSilentSockets(server);
  if (bounds !== undefined) boundRequests(server, bounds);
  return server;
}

/**
 * Remembers the paths of all routes that are added from now on.
 *
 * @returns the methods that a path takes, in alphabetical order; a slash at its end is ignored
 */
function rememberPaths(server: Server): (path: string) => readonly string[] {
  const routes: { pattern: RegExp; methods: readonly string[] }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    const parts = url.split('/').map((part) => {
      if (part === '*') return '.*';
      return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&');
    });
    routes.push({ pattern: new RegExp(`^${parts.join('/')}$`), methods: [method].flat() });
  });
  return (path) => {
    const bare = path.replace(/(?<=.)\/$/, '');
    return [...new Set(routes.flatMap(({ pattern, methods }) => (pattern.test(bare) ? methods : [])))].sort();
  };
}

const otherMethod = (method: string, methods: readonly string[]): WeirError =>
  new WeirError('method_not_allowed', {
    detail: `this path does not take ${method}; it takes ${methods.join(' and ')}. \`/docs\` lists all endpoints`,
  });

/** @param methods what the path takes without the slash at its end */
const noEndpoint = (methods: readonly string[]): WeirError =>
  new WeirError('not_found', {
    detail:
      methods.length > 0
        ? 'there is no endpoint with a slash at the end of this path; leave the slash out'
        : 'there is no endpoint with this path; `/docs` lists all endpoints',
  });

const commonHeaders = (request_id: string) => ({
  'x-request-id': request_id,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(request.id));
}

function acceptJson(server: Server): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw: Buffer, done) => {
    try {
      checkEncoding(request);
      const { parse = parseJson } = request.routeOptions.config;
      done(null, raw.length === 0 ? undefined : parse(raw));
    } catch (error) {
      done(error as Error);
    }
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads a body that is not a plain `ParsedJson`. */
    parse?: (raw: Buffer) => unknown;
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

function checkEncoding(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (encoding.toLowerCase() !== 'identity' || !/^utf-?8$/i.test(charset))
    throw new WeirError('unsupported_media_type');
}

/** Counts answers and their duration under the route's pattern. */
export function measureRequests(server: Server, name: string, { requests }: Pick<Metrics, 'requests'>): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const labels = { server: name, method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    requests.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
}

/**
 * Node counts a connection that has sent nothing yet as busy. Browsers open such connections, and they would delay
 * closing. A new one may have a request on its way, which would be lost.
 */
function closeSilentSockets(server: Server): void {
  /** Each with the time when it was opened. */
  const sockets = new Map<Socket, number>();
  server.server.on('connection', (socket) => {
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
  });
  server.addHook('preClose', (done) => {
    for (const [socket, opened] of sockets)
      setTimeout(
        () => {
          if (socket.bytesRead === 0) socket.destroy();
        },
        Math.max(0, opened + SILENCE_MS - performance.now()),
      );
    done();
  });
}

/** `routes.ts` tells which connections brought a valid credential. */
function boundRequests({ server }: Server, bounds: PortBounds): void {
  boundConnections(server, bounds);
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(socket);
    connection?.begin();
    response.once('close', () => connection?.end());
  });
}

/** Servers that are about to close: their answers tell clients to use another connection. */
const leaving = new WeakSet<Server>();

/**
 * Answers requests that are already on their way, stops listening, lets requests in flight finish, and after `drain_ms`
 * altogether closes the remaining connections.
 */
export async function closeServer(server: Server, drain_ms: number): Promise<void> {
  leaving.add(server);
  const cut = setTimeout(() => server.server.closeAllConnections(), drain_ms);
  // A request that was sent but not yet read would be lost if its connection were closed as idle now.
  await new Promise((resolve) => setTimeout(resolve, LAST_CALL_MS));
  // A connection whose request was in flight becomes idle later, and nothing else would close it.
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  await server.close();
  clearInterval(sweep);
  clearTimeout(cut);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toWeirError(error);
  const { status } = known.row;
  // Missing when the request did not get as far as the hooks.
  addCommonHeaders(request, reply);
  // Fastify closes the connection of a refused body. A client that is still sending would then get a reset instead of the answer, so
  // the rest is read and dropped, within the time of a request.
  reply.removeHeader('connection');
  // Refusals under overload are counted (metrics.ts) and not logged: a line for each would add to the load.
  if (status >= 500 && known.code !== 'overloaded') {
    const fields = { route: request.routeOptions.url, code: known.code, err: error };
    request.log[status === 500 ? 'error' : 'warn'](fields, 'request failed');
  }
  const wait_s = known.retry_after_s ?? (status === 503 ? 1 : undefined);
  if (wait_s !== undefined) reply.header('retry-after', String(wait_s));
  if (status === 401) reply.header('www-authenticate', 'ApiKey realm="weir"');
  reply
    .code(status)
    .header('content-type', 'application/problem+json')
    .send(JSON.stringify(toProblem(known, request.id)));
}

/** Fastify's own refusals, by their codes. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'invalid',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** Maps any thrown value to a row of the table; an unexpected error becomes `internal`. */
export function toWeirError(error: unknown): WeirError {
  if (error instanceof WeirError) return error;
  if (error instanceof StoreUnavailable) return new WeirError('unavailable', { cause: error });
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkCodes[code];
  if (known !== undefined) {
    return code === 'FST_ERR_BAD_URL'
      ? new WeirError(known, { detail: 'the path is not percent-encoded UTF-8; encode it again' })
      : new WeirError(known);
  }
  const is_callers = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return is_callers
    ? new WeirError('invalid', { detail: 'not a request that this server can read; check method, path and headers' })
    : new WeirError('internal', { cause: error });
}

/** An `import` of a value of this module makes Node load its `fetch` as well: 45 ms of every start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

const brokenRequests: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timed_out',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Bytes that are not an HTTP request, or a request that is too slow: answered on the socket, which is then closed. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, request_id: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const code = brokenRequests[error.code ?? ''];
  const known =
    code === undefined ? new WeirError('invalid', { detail: 'not a valid HTTP/1.1 request' }) : new WeirError(code);
  const body = JSON.stringify(toProblem(known, request_id));
  const headers = {
    ...commonHeaders(request_id),
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { status } = known.row;
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}
