/**
 * One endpoint is one value: where it is, who may call it, what it takes, what it answers, and what it does. The server
 * and the OpenAPI document are both made from the list of these values, so neither can know a route the other does not.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { ParsedJson } from '../json/json.ts';
import type { Parameters, ParameterValues } from './parameters.ts';
import { compileValidator } from './validate.ts';

/** Who may call: anyone, the holder of a customer's API key, or the operator on the management plane. */
export type Access = 'public' | 'api_key' | 'management';

/** Who calls. On `api_key` endpoints a customer, elsewhere nobody in particular. */
export interface Caller {
  customer_id: string;
  key_id: string;
}

/** What of a request tells who calls. An HTTP request is one; gRPC makes one from a call's metadata. */
export interface Credentials {
  headers: IncomingHttpHeaders;
  url?: string | undefined;
  socket: { remoteAddress?: string | undefined };
}

/** Lets a request in as somebody, or throws. Answers at once where it can: most requests carry a key seen just now. */
export type Admit = (request: Credentials) => Caller | Promise<Caller>;

/** Names of the `{…}` segments of a path. `customer_id` must be the caller's own, checked before the handler runs. */
export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export interface Body<T, Sent = ParsedJson> {
  schema: TSchema;
  /** Default 1 MiB. */
  max_bytes?: number;
  /** Default: strict JSON with the usual limits. For what is too large to be parsed as a whole. */
  parse?: (raw: Buffer) => Sent;
  read: (body: Sent) => T;
}

/** One request, for records of who did what and for credentials beside the API key. */
export interface RequestInfo {
  request_id: string;
  /** Of the caller's socket. */
  address: string;
  /** Each `Authorization` header as it was sent: Node shows the first alone, and what it hides may be a token. */
  authorizations: readonly string[];
  /** Counts what was read for the memory that so many values take. Throws when the customer, or all, have too much under way. */
  weigh(values: number): void;
  /** Throws when the caller has left. To be asked before each piece of work that can be left out. */
  checkWanted(): void;
}

export interface Call<Path extends string, P extends Parameters, B> {
  path: Record<NamesIn<Path>, string>;
  query: ParameterValues<P>;
  body: B;
  caller: Caller;
  request: RequestInfo;
}

export interface Answer {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a text with a `content-type` among the headers is sent as it is. */
  body?: unknown;
  /** The body as JSON that is written already. */
  json?: string;
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/scores/{customer_id}`: `{name}` is one segment. */
  path: string;
  /** Unique name of the operation, for the OpenAPI document and client generators. */
  operation: string;
  summary: string;
  description?: string;
  tag: string;
  access: Access;
  /** An agent’s, subagent’s or session’s token may come beside the API key; what it permits is then enforced. */
  takes_token?: boolean;
  query?: Parameters;
  body?: Body<unknown>;
  /** Throws when it can take no more from this customer at the moment. Asked before the body is read. */
  checkRoom?: (customer_id: string) => void;
  /** Success answers by status. */
  answers: Record<number, { description: string; schema: TSchema; content_type?: string }>;
  /** Failures of this endpoint beside those that its access and its body bring. */
  errors?: readonly ErrorCode[];
  handle: (call: Call<string, Parameters, unknown>) => Promise<Answer> | Answer;
}

interface Definition<Path extends string, P extends Parameters, B, Sent>
  extends Omit<Endpoint, 'path' | 'query' | 'body' | 'handle'> {
  path: Path;
  query?: P;
  body?: Body<B, Sent>;
  handle: (call: Call<Path, P, B>) => Promise<Answer> | Answer;
}

/** Ties the types of path, query and body to the handler. */
export function endpoint<
  const Path extends string,
  P extends Parameters = Record<never, never>,
  B = undefined,
  Sent = ParsedJson,
>(definition: Definition<Path, P, B, Sent>): Endpoint {
  // Sound because the server fills `path`, `query` and `body` from this very definition.
  return definition as unknown as Endpoint;
}

/** A JSON body that must match a schema. */
export function jsonBody<S extends TSchema>(schema: S, max_bytes?: number): Body<Static<S>> {
  const validate = compileValidator(schema, 'the body');
  return { schema, ...(max_bytes !== undefined && { max_bytes }), read: ({ value }) => validate(value) };
}
