/**
 * What grpc-js ends calls with, as this service answers: malformed bytes, time-outs and messages too large become errors with details,
 * like any other fault of the caller.
 */
import { constants } from 'node:http2';
import { type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { WeirError } from '../../../platform/errors.ts';
import { DeadlinePassed, plainStatus, toCallStatus, toStatus } from '../status.ts';
import { type InnerCall, sessionOf } from './inner-call.ts';
import { sentValues } from './sent-headers.ts';
import { countBytes } from './sessions.ts';

/** Time for the client of a failed call to take what was written before its status. */
const FAREWELL_MS = 10_000;

/** Every call: grpc-js's errors about malformed bytes are reported like any other fault of the caller. */
export function tellFaults(call: ServerInterceptingCallInterface, newRequestId: () => string): void {
  const inner = call as InnerCall;
  const sendStatus = inner.sendStatus.bind(inner);
  const sendMessage = inner.sendMessage.bind(inner);
  const write = inner.decoder.write.bind(inner.decoder);
  let is_ended = false;
  inner.sendStatus = (sent) => {
    if (is_ended) return;
    is_ended = true;
    if (sent.code !== status.OK) cutLater(inner);
    sendStatus(asTold(sent, newRequestId));
  };
  // A handler does not know that its call was ended here. Writing after the end would break the stream, and the status
  // would never arrive.
  inner.sendMessage = (message, done) => {
    if (is_ended) done();
    else sendMessage(message, done);
  };
  const session = sessionOf(call);
  inner.decoder.write = (data) => {
    countBytes(session, data.length);
    return is_ended ? [] : write(data);
  };
  readTimeout(inner);
}

/** As gRPC's protocol defines it: at most eight digits and a unit. */
const TIMEOUT = /^(\d{1,8})([HMSmun])$/;
const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000_001 };
/** The longest delay of a timer, nearly 25 days. No client waits that long for an answer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** grpc-js accepts any text with a digit and a unit in it, and truncates a time-out of many days to 32 bits. */
function readTimeout(inner: InnerCall): void {
  const [text, ...more] = sentValues(inner, 'grpc-timeout');
  if (text === undefined) return;
  const [, count, unit] = (more.length === 0 && TIMEOUT.exec(text)) || [];
  if (unit !== undefined && Number(count) * UNIT_MS[unit]! <= MAX_TIMER_MS) return;
  if (inner.deadlineTimer !== null) clearTimeout(inner.deadlineTimer);
  inner.deadline = Number.POSITIVE_INFINITY;
  if (unit !== undefined) return;
  const sent = { code: status.INTERNAL, details: `Invalid grpc-timeout value "${[text, ...more].join(', ')}"` };
  // As grpc-js does: the call is not set up yet.
  process.nextTick(() => inner.sendStatus(sent));
}

type Sent = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

function asTold(sent: Sent, newRequestId: () => string): Sent {
  const fault = FAULTS.find(({ code, details }) => code === sent.code && details.test(sent.details ?? ''));
  if (fault === undefined) return withDetails(sent, newRequestId);
  const error = new WeirError(fault.error, { detail: `${fault.says}: ${sent.details}` });
  const told = toStatus(error, newRequestId());
  return toCallStatus(fault.error === 'too_large' ? { ...told, code: fault.code } : told);
}

/**
 * Every error carries google.rpc details, also those that grpc-js raises itself: an expired deadline, a message that it
 * cannot decompress.
 */
function withDetails(sent: Sent, newRequestId: () => string): Sent {
  const { code, details, metadata } = sent;
  if (code === status.OK || (metadata?.get('grpc-status-details-bin').length ?? 0) > 0) return sent;
  const id = newRequestId();
  const is_late = code === status.DEADLINE_EXCEEDED;
  const told = toCallStatus(is_late ? toStatus(new DeadlinePassed(), id) : plainStatus(code, details ?? '', id));
  if (metadata) told.metadata.merge(metadata);
  return told;
}

/** A failed call whose client does not read is closed after a while. */
function cutLater({ stream }: InnerCall): void {
  const timer = setTimeout(() => {
    stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
  }, FAREWELL_MS);
  stream.once('close', () => clearTimeout(timer));
}

interface Fault {
  code: number;
  details: RegExp;
  error: 'invalid' | 'too_large';
  says: string;
}

const NO_CALL = 'the call does not follow the gRPC protocol';
const FAULTS: readonly Fault[] = [
  {
    code: status.INTERNAL,
    details: /^Failed to decompress message|^Invalid grpc-timeout|^Error deserializing request/,
    error: 'invalid',
    says: NO_CALL,
  },
  {
    code: status.UNIMPLEMENTED,
    details: /^Received (?:no request message|a second request message)/,
    error: 'invalid',
    says: NO_CALL,
  },
  // Every client knows this error by its code, so it stays.
  {
    code: status.RESOURCE_EXHAUSTED,
    details: /^Received message (?:larger than max|that decompresses to a size larger)/,
    error: 'too_large',
    says: 'send less in one message',
  },
];
