/**
 * A failure in gRPC's terms. The rows of `platform/errors.ts` name the status code; the finer code, the fields at fault
 * and the time to retry go along as google.rpc details, in the trailer `grpc-status-details-bin` or in a stream's
 * `error`.
 */
import { Metadata, status as statusCodes } from '@grpc/grpc-js';
import { type FieldError, WeirError } from '../../platform/errors.ts';
import { toWeirError } from '../../platform/http/http.ts';
import type { Any, MessageTypes, Status } from './messages/messages.ts';
import { codecOf } from './messages/proto.ts';

/** Trailers are headers, which clients bound (8 KiB by default in some): the beginning of a long list is enough. */
const MAX_VIOLATIONS = 16;
const MAX_TEXT = 300;
const MAX_MESSAGE = 1_000;

/** What grpc-js sends at the end of a call. */
export interface CallStatus {
  code: number;
  details: string;
  metadata: Metadata;
}

/**
 * The deadline of a call has passed. Work in progress is finished and stored; a retry with the same event_id finds it.
 */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}

const TOO_LATE = 'the deadline passed; allow more time, and send an event_id so that a retry is safe';

/** Any thrown value as google.rpc.Status, for the caller. Without a request id it was not logged. */
export function toStatus(thrown: unknown, request_id: string): Status {
  const error =
    thrown instanceof DeadlinePassed ? new WeirError('timed_out', { detail: TOO_LATE }) : toWeirError(thrown);
  return { code: codeOf(error), message: cut(error.detail, MAX_MESSAGE), details: detailsOf(error, request_id) };
}

/** The same, as the end of a call. */
export function toCallStatus(status: Status): CallStatus {
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', codecOf('google.rpc.Status').encode(status));
  return { code: status.code, details: status.message, metadata };
}

/** Errors raised by grpc-js, such as an unknown compression, are known only by their status code. */
export function plainStatus(code: number, message: string, request_id: string): Status {
  const info = detail('ErrorInfo', { reason: statusCodes[code] ?? 'UNKNOWN', domain: 'weir', metadata: {} });
  const details = [info, detail('RequestInfo', { request_id, serving_data: '' })];
  return { code, message: cut(message, MAX_MESSAGE), details };
}

/** Number of the status code that the error's row names. */
function codeOf(error: WeirError): number {
  return statusCodes[error.row.grpc as keyof typeof statusCodes];
}

/** Seconds to wait where the error does not say; the same as `Retry-After` of a 503. */
const UNAVAILABLE_RETRY_S = 1;

function detailsOf(error: WeirError, request_id: string): Any[] {
  const details = [detail('ErrorInfo', { reason: error.code.toUpperCase(), domain: 'weir', metadata: textsOf(error) })];
  if (request_id !== '') details.push(detail('RequestInfo', { request_id, serving_data: '' }));
  const { errors } = error;
  if (errors !== undefined) {
    details.push(detail('BadRequest', { field_violations: errors.slice(0, MAX_VIOLATIONS).map(violation) }));
  }
  const wait_s = error.retry_after_s ?? (error.code === 'unavailable' ? UNAVAILABLE_RETRY_S : undefined);
  if (wait_s !== undefined) details.push(detail('RetryInfo', { retry_delay: { seconds: wait_s, nanos: 0 } }));
  return details;
}

/** Members for programs, such as the reason why a token does not permit an event. */
function textsOf({ members = {} }: WeirError): Record<string, string> {
  const texts = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts.map(([name, text]) => [name, cut(text, MAX_TEXT)]));
}

const violation = ({ path, message }: FieldError) => ({
  field: cut(path, MAX_TEXT),
  description: cut(message, MAX_TEXT),
});

type DetailName = 'ErrorInfo' | 'RequestInfo' | 'BadRequest' | 'RetryInfo';

function detail<Name extends DetailName>(name: Name, message: MessageTypes[`google.rpc.${Name}`]): Any {
  return { type_url: `type.googleapis.com/google.rpc.${name}`, value: codecOf(`google.rpc.${name}`).encode(message) };
}

/** A lone surrogate cannot be sent. */
function cut(text: string, length: number): string {
  return (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed();
}
