/**
 * Adds a list of endpoints to a server: authentication, check of the path, reading of the request, then the handler.
 */
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import { type Admit, bearerOf, type Caller, checkScope, isOperator, leftOnce } from '../caller.ts';
import { WeirError } from '../errors.ts';
import { parseUuid } from '../ids.ts';
import type { ParsedJson } from '../json/json.ts';
import { isPlainText } from '../json/odd-characters.ts';
import { connectionOf } from './connections.ts';
import type { Access, Answer, Call, Endpoint } from './endpoint.ts';
import type { Server } from './http.ts';
import { DEFAULT_BODY_BYTES } from './http.ts';
import { type Intake, type Share, takeIn } from './intake.ts';
import { describeEndpoint } from './openapi.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** The authentication for each kind of access. */
export type Gates = Record<Exclude<Access, 'public'>, Admit>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set by the guard, empty on public endpoints. */
    caller: Caller;
    /** The share of its body in the bytes in flight, where bodies are counted. */
    share: Share | undefined;
  }
}

const NOBODY: Caller = Object.freeze({ customer_id: '', key_id: '', scopes: [] });

/** `intake` bounds the bodies in flight on servers that customers call. */
export function addEndpoints(
  server: Server,
  endpoints: readonly Endpoint[],
  gates: Partial<Gates>,
  intake?: Intake,
): void {
  // A declared property keeps all requests in one hidden class. A WeakMap beside them took a sixth of a request's time.
  server.decorateRequest('caller');
  server.decorateRequest('share');
  for (const endpoint of endpoints) {
    server.route({
      method: endpoint.method,
      url: toRoute(endpoint.path),
      schema: describeEndpoint(endpoint),
      ...(endpoint.body?.max_bytes !== undefined && { bodyLimit: endpoint.body.max_bytes }),
      ...(endpoint.body?.parse !== undefined && { config: { parse: endpoint.body.parse } }),
      onRequest: guard(endpoint, gates, intake),
      handler: handler(endpoint, gates),
    });
  }
}

/** `/scores/{customer_id}` in the router's spelling. */
function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Runs before the body is read, so that a caller without access cannot make the server read one. */
function guard(endpoint: Endpoint, gates: Partial<Gates>, intake: Intake | undefined): onRequestHookHandler[] {
  if (endpoint.access === 'public') return [];
  const admit = gates[endpoint.access];
  if (admit === undefined) throw new Error(`${endpoint.operation}: this server has no gate for ${endpoint.access}`);
  return [
    (request, reply, done) => {
      const enter = (caller: Caller): void => {
        checkPresence(request);
        connectionOf(request.raw.socket)?.prove();
        checkPath(request.params as Record<string, string>, endpoint.access, caller);
        checkAccess(endpoint, caller);
        request.caller = caller;
        endpoint.checkRoom?.(caller.customer_id);
        if (endpoint.body !== undefined && endpoint.access === 'api_key' && intake !== undefined)
          takeBody(intake, caller.customer_id, endpoint.body.max_bytes ?? DEFAULT_BODY_BYTES, request, reply);
      };
      try {
        const caller = admit(request.raw);
        if (caller instanceof Promise) caller.then(enter).then(() => done(), done);
        else {
          enter(caller);
          done();
        }
      } catch (error) {
        done(error as Error);
      }
    },
  ];
}

/** Counts the body until the answer is sent. A body without a declared length counts as the longest allowed one. */
function takeBody(
  intake: Intake,
  customer_id: string,
  max: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const said = request.headers['content-length'];
  const bytes = said === undefined ? max : Math.min(Number(said), max);
  const share = takeIn(intake, customer_id, bytes);
  request.share = share;
  whenOver(request, reply, share.leave);
}

/**
 * Calls back once the answer was taken or its connection is gone; at once where the client left earlier, such as while its key was
 * looked up, because `close` was emitted already.
 */
function whenOver({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, callback: () => void): void {
  if (socket.destroyed || raw.closed) callback();
  else raw.once('close', callback);
}

/** Path segments are clean text; a customer id is a lower-case UUID and, for a customer, its own id. */
function checkPath(path: Record<string, string>, access: Access, caller: Caller): void {
  for (const [name, text] of Object.entries(path)) {
    if (text === '' || !isPlainText(text)) throw badSegment(name, 'must not be empty and must be text');
  }
  if (path['customer_id'] === undefined) return;
  const customer_id = parseUuid(path['customer_id']);
  if (customer_id === null) throw badSegment('customer_id', 'must be a UUID');
  path['customer_id'] = customer_id;
  if (access !== 'public' && !isOperator(caller) && customer_id !== caller.customer_id) throw ofAnother();
}

function ofAnother(): WeirError {
  return new WeirError('forbidden', {
    detail: 'this API key belongs to another customer; use that customer’s own key',
  });
}

/** The scope of the endpoint; an endpoint of the management plane without one is for the operator. */
function checkAccess({ access, scope }: Endpoint, caller: Caller): void {
  if (scope !== undefined) checkScope(caller, scope);
  else if (access === 'management' && !isOperator(caller))
    throw new WeirError('forbidden', { detail: 'only the operator may do this: send the admin key' });
}

/** On the management plane, a caller of one customer names its own customer, or an object of it. */
async function checkCustomer(endpoint: Endpoint, call: Call<string, Parameters, unknown>): Promise<void> {
  const named = (call.path as Record<string, string>)['customer_id'] ?? nameIn(call.query) ?? nameIn(call.body);
  if (named !== undefined) {
    // What is no UUID is refused by the endpoint, with its place.
    if ((parseUuid(named) ?? call.caller.customer_id) !== call.caller.customer_id) throw ofAnother();
    if (endpoint.customerOf === undefined) return;
  }
  if (endpoint.customerOf === undefined) throw new Error(`${endpoint.operation}: nothing tells its customer`);
  const owner = await endpoint.customerOf(call);
  // As if it did not exist: whether another customer has it is not told.
  if (owner !== call.caller.customer_id) throw new WeirError('not_found');
}

function nameIn(values: unknown): string | undefined {
  const named = (values as { customer_id?: unknown } | undefined)?.customer_id;
  return typeof named === 'string' ? named : undefined;
}

function badSegment(name: string, message: string): WeirError {
  return new WeirError('invalid', { detail: `\`${name}\` in the path ${message}`, errors: [{ path: name, message }] });
}

/** No client reads this text; it is for tests and for the log at its finest level. */
const LEFT = 'the caller closed the connection before the answer';

function checkPresence({ raw }: FastifyRequest): void {
  if (raw.socket.destroyed) throw new WeirError('timed_out', { detail: LEFT });
}

function handler(endpoint: Endpoint, gates: Partial<Gates>): RouteHandlerMethod {
  const { query = {}, body, handle, access } = endpoint;
  return async (request, reply) => {
    const at = request.raw.url!.indexOf('?');
    const caller = request.caller ?? NOBODY;
    const call: Call<string, Parameters, unknown> = {
      path: request.params as Record<string, string>,
      query: readParameters(
        query,
        at === -1 ? '' : request.raw.url!.slice(at + 1),
        access === 'public' ? 'ignore' : 'refuse',
      ),
      body: body === undefined ? undefined : body.read(sentBody(request)),
      caller,
      request: {
        request_id: request.id,
        address: request.raw.socket.remoteAddress ?? '',
        actor: actorOf(caller, request.raw.socket.remoteAddress ?? ''),
        headers: request.raw.headers,
        bearer: endpoint.takes_token === true ? bearerOf(authorizationsOf(request)) : null,
        weigh: (values) => request.share?.weigh(values),
        checkWanted: () => checkPresence(request),
        left: leftOnce((abort) => whenOver(request, reply, abort)),
        timeLeft: () => Number.POSITIVE_INFINITY,
        header: (name) => [request.headers[name]].flat()[0],
        onClose: (callback) => whenOver(request, reply, callback),
        checkAccess: async () => {
          if (access !== 'public') checkAccess(endpoint, await gates[access]!(request.raw));
        },
      },
    };
    if (endpoint.access === 'management' && !isOperator(caller)) await checkCustomer(endpoint, call);
    const answer: Answer = await handle(call);
    reply.code(answer.status ?? 200);
    if (answer.headers !== undefined) reply.headers(answer.headers);
    if (answer.stream !== undefined) {
      // An answer to HEAD would read the stream to an end that never comes.
      if (request.method !== 'HEAD') return reply.send(answer.stream);
      answer.stream.destroy();
      return reply.send('');
    }
    if (typeof answer.body === 'string' && answer.headers?.['content-type'] !== undefined)
      return reply.send(answer.body);
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(answer.json ?? JSON.stringify(answer.body));
  };
}

function actorOf({ key_id, person }: Caller, address: string): string {
  if (person !== undefined) return `person ${person.email}@${address}`;
  return key_id === '' ? `operator@${address}` : `api_key ${key_id}@${address}`;
}

const NONE: readonly string[] = [];

function authorizationsOf({ headers, raw }: FastifyRequest): readonly string[] {
  // Most requests have no such header, and need no second table of their headers.
  return headers.authorization === undefined ? NONE : (raw.headersDistinct['authorization'] ?? NONE);
}

function sentBody(request: FastifyRequest): ParsedJson {
  if (request.body == null) {
    throw new WeirError('invalid', { detail: 'the body is missing; send a JSON object' });
  }
  const body = request.body as ParsedJson;
  // The request object lives until its answer is sent. The body of a refused request need not, and there may be
  // hundreds.
  request.body = undefined;
  return body;
}
