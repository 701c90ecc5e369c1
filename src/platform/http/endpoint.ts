/**
 * One endpoint is one value: its path, its access, what it takes, what it answers, and its handler. The server and the
 * OpenAPI document are both made from the list of these values, so that neither can have a route that the other lacks.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { Caller, Waiter } from '../caller.ts';
import type { ErrorCode } from '../errors.ts';
import type { ParsedJson } from '../json/json.ts';
import type { Parameters, ParameterValues } from './parameters.ts';
import { compileValidator } from './validate.ts';

/**
 * Who may call: anyone; the holder of a customer's API key; on the management plane the operator, or a caller of one customer with
 * the scope of the endpoint.
 */
export type Access = 'public' | 'api_key' | 'management';

/** Names of the `{…}` segments of a path. `customer_id` must be the caller's own, checked before the handler runs. */
export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export interface Body<T, Sent = ParsedJson> {
  schema: TSchema;
  /** Default 1 MiB. */
  max_bytes?: number;
  /** Default: strict JSON with the usual limits. Set it for bodies too large to be parsed as a whole. */
  parse?: (raw: Buffer) => Sent;
  read: (body: Sent) => T;
}

/** One request, for the audit log and for credentials beside the API key. */
export interface RequestInfo extends Waiter {
  request_id: string;
  /** Remote address of the caller's socket. */
  address: string;
  /** The caller for the audit log, such as `operator@127.0.0.1`. */
  actor: string;
  headers: IncomingHttpHeaders;
  /** The token beside the API key, for endpoints that take one; `null` without one. */
  bearer: string | null;
  /**
   * Counts the memory that the parsed values take. Throws when the customer, or all customers together, have too much
   * in flight.
   */
  weigh(values: number): void;
  /** One value of a header, by its lower-case name. */
  header(name: string): string | undefined;
  /** Calls back once the answer is sent, or its connection is lost. */
  onClose(callback: () => void): void;
  /** Authenticates the request again; rejects when its credential has lost its access since. For long answers. */
  checkAccess(): Promise<void>;
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
  /** The body as JSON text that is already encoded. */
  json?: string;
  /** A body that is sent as it comes; `headers` names its type. */
  stream?: Readable;
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
  /** The scope that the caller needs. Without one, an endpoint of the management plane is for the operator alone. */
  scope?: string;
  /**
   * The customer of the object that the request names, `null` when there is no such object: for management endpoints whose path,
   * query and body have no `customer_id`.
   */
  customerOf?: (call: Call<string, Parameters, unknown>) => Promise<string | null>;
  /** The token of an agent, subagent or session may accompany the API key; its rights are then enforced. */
  takes_token?: boolean;
  query?: Parameters;
  /** Headers that the handler reads, for the document. */
  headers?: Record<string, TSchema>;
  body?: Body<unknown>;
  /** Throws when this customer's queue is full. Called before the body is read. */
  checkRoom?: (customer_id: string) => void;
  /** Success answers by status. */
  answers: Record<number, { description: string; schema: TSchema; content_type?: string }>;
  /** Failures of this endpoint in addition to those of its access and its body. */
  errors?: readonly ErrorCode[];
  handle: (call: Call<string, Parameters, unknown>) => Promise<Answer> | Answer;
}

interface Definition<Path extends string, P extends Parameters, B, Sent>
  extends Omit<Endpoint, 'path' | 'query' | 'body' | 'handle' | 'customerOf'> {
  path: Path;
  query?: P;
  body?: Body<B, Sent>;
  customerOf?: (call: Call<Path, P, B>) => Promise<string | null>;
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
