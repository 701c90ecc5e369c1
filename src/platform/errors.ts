/**
 * Every way a call can fail, in one table. Code that finds a failure throws `WeirError(code, …)`; each door maps the row
 * to its own protocol: HTTP problem details (RFC 9457) here, gRPC status codes beside them.
 *
 * `detail` and `errors` are for the caller; `cause` is for the log and never leaves the process.
 */

/** One row: what a caller of either protocol is told. */
export interface ErrorRow {
  /** HTTP status. */
  readonly status: number;
  /** Name of the gRPC status code. */
  readonly grpc: string;
  /** Short summary that is the same for every occurrence: `title` of RFC 9457. */
  readonly title: string;
  /** `detail` when the thrower gives none. */
  readonly text: string;
}

/** The table. To add a failure, add a row. */
export const errorTable = {
  invalid: row(400, 'INVALID_ARGUMENT', 'Invalid request', 'the request is not valid; see `errors`'),
  unauthenticated: row(401, 'UNAUTHENTICATED', 'Not authenticated', 'no valid credentials: send one valid `X-API-Key`'),
  forbidden: row(403, 'PERMISSION_DENIED', 'Forbidden', 'these credentials do not give access to this resource'),
  not_found: row(404, 'NOT_FOUND', 'Not found', 'there is no such resource'),
  method_not_allowed: row(
    405,
    'UNIMPLEMENTED',
    'Method not allowed',
    'this path takes other methods; `Allow` lists them',
  ),
  timed_out: row(408, 'DEADLINE_EXCEEDED', 'Request timed out', 'the request did not arrive in time; send it faster'),
  event_conflict: row(
    409,
    'ALREADY_EXISTS',
    'Event conflict',
    'this event_id was used before for an event with other content; use a new event_id',
  ),
  conflict: row(409, 'FAILED_PRECONDITION', 'Conflict', 'the resource is not in a state that allows this'),
  too_large: row(413, 'INVALID_ARGUMENT', 'Body too large', 'the body is larger than this endpoint takes; send less'),
  unsupported_media_type: row(
    415,
    'INVALID_ARGUMENT',
    'Unsupported media type',
    'send the body as `content-type: application/json` in UTF-8, uncompressed',
  ),
  headers_too_large: row(431, 'INVALID_ARGUMENT', 'Headers too large', 'the request headers are too large; send fewer'),
  rate_limited: row(429, 'RESOURCE_EXHAUSTED', 'Too many requests', 'the rate limit is reached; wait and try again'),
  internal: row(500, 'INTERNAL', 'Internal error', 'an internal error occurred; the log has it under the request_id'),
  overloaded: row(
    503,
    'UNAVAILABLE',
    'Overloaded',
    'the service is overloaded at the moment; nothing was stored, try the same request again later',
  ),
  unavailable: row(
    503,
    'UNAVAILABLE',
    'Temporarily unavailable',
    'a store cannot be reached at the moment; try the same request again later',
  ),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** One thing wrong with what was sent. `path` is a JSON pointer into the body, or the parameter's name. */
export interface FieldError {
  path: string;
  message: string;
}

export interface ErrorDetails {
  /** What went wrong in this case, for the caller: lower-case start, the caller's value in backticks, what to do. */
  detail?: string;
  errors?: FieldError[];
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  retry_after_s?: number;
  /** Further members of the answer, for programs: RFC 9457 allows them. */
  members?: Record<string, unknown>;
  /** For the log only. */
  cause?: unknown;
}

/**
 * A failure that the caller may be told about. Any other thrown error is answered as `internal`.
 *
 * It carries no stack: it is an answer, and the log prints none of it. Capturing a stack takes 6 µs per refusal, so a
 * caller far beyond its limit would slow down all others. The original error, if there is one, is its `cause`.
 */
export class WeirError extends Error {
  override name = 'WeirError';
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly retry_after_s: number | undefined;
  readonly members: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const detail = details.detail ?? errorTable[code].text;
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = frames;
    this.code = code;
    this.detail = detail;
    this.errors = details.errors;
    this.retry_after_s = details.retry_after_s;
    this.members = details.members;
  }

  /** The row of the table. */
  get row(): ErrorRow {
    return errorTable[this.code];
  }
}

/** A caller that is over a limit may try again in `wait_s` seconds. */
export function tooFast(what: string, wait_s: number): WeirError {
  return new WeirError('rate_limited', { detail: `${what}; try again in ${wait_s} s`, retry_after_s: wait_s });
}

/** One value that was sent is wrong. `path` is a JSON pointer into the body, and the message goes on from it: `/name must be …`. */
export function invalidAt(path: string, message: string): WeirError {
  return new WeirError('invalid', { detail: `\`${path}\` ${message}`, errors: [{ path, message }] });
}

/** Body of every error answer: RFC 9457 problem details with `errors` and `request_id` as extensions. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  request_id: string;
  errors?: FieldError[];
}

/** The answer for one failure. `type` names the row as a URN, so that no link can break. */
export function toProblem(error: WeirError, request_id: string): Problem {
  const problem: Problem = {
    ...error.members,
    type: `urn:weir:error:${error.code.replaceAll('_', '-')}`,
    title: error.row.title,
    status: error.row.status,
    detail: error.detail,
    request_id,
  };
  if (error.errors !== undefined) problem.errors = error.errors;
  return problem;
}

function row(status: number, grpc: string, title: string, text: string): ErrorRow {
  return { status, grpc, title, text };
}

/** The backend cannot be reached or did not answer in time. The call may or may not have taken effect. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
