/**
 * What of a call has not arrived yet: bounded in bytes and in time, before there is a message that anybody could refuse.
 * grpc-js keeps the pieces of a message, and what it unpacks, without a word to the handler. So this looks into its own
 * call object; its names are pinned by `test/grpc/arrival.test.ts`.
 */
import { constants } from 'node:http2';
import { type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { WeirError } from '../../../platform/errors.ts';
import type { Intake } from '../../../platform/http/intake.ts';
import type { Unpack } from '../messages/unpacker.ts';
import { DeadlinePassed, plainStatus, toCallStatus, toStatus } from '../status.ts';
import { sentValues } from './sent-headers.ts';

/** Largest message that is read, the usual limit of gRPC; beyond it a call ends with RESOURCE_EXHAUSTED. */
export const MAX_MESSAGE_BYTES = 4 * 1_048_576;
/** The same where no key is asked for: the name of a service, or of a symbol. */
const MAX_OPEN_MESSAGE_BYTES = 4_096;
/**
 * Time for a message to arrive once it has begun, as for a body of REST, and for the end that a call of one message needs
 * beside it; what waits because we do not read is not late.
 */
const ARRIVAL_S = 10;
/** Time for a caller that failed to take what was written before its status, which comes after it. */
const FAREWELL_MS = 10_000;
/** How often a stream that waits for room looks for it. */
const ROOM_MS = 20;
/** How many times its size a packed message may be at most, by the format of deflate. */
const MAX_UNPACKED = 1_032;

/** The parts of grpc-js's call that it shows nobody. */
interface InnerCall extends ServerInterceptingCallInterface {
  stream: {
    /** While nobody here asks for more. */
    isPaused(): boolean;
    pause(): void;
    resume(): void;
    /** The client has sent all that it will. */
    once(event: 'end' | 'close', listener: () => void): void;
    close(code: number): void;
    destroy(): void;
  };
  maxReceiveMessageSize: number;
  /** Takes a piece of the stream, queues what the decoder makes of it, and pauses the stream if that is a message. */
  handleDataFrame(data: Buffer): void;
  /** The bytes of a message, without its frame. */
  decompressMessage(framed: Buffer, encoding: string): Buffer | Promise<Buffer>;
  /** Queues the end. */
  handleEndEvent(): void;
  decoder: {
    maxReadMessageLength: number;
    /** 0 between two messages, 1 in the frame of one, 2 while it is arriving. */
    readState: number;
    readMessageSize: number;
    /** The pieces of the message that is arriving, and of the last one until another begins. */
    readPartialMessage: Buffer[];
    /** Takes a piece, and answers the messages that are whole now, each with its five bytes of frame. */
    write(data: Buffer): Buffer[];
  };
  /** Milliseconds since 1970, `Infinity` without one. */
  deadline: number;
  deadlineTimer: NodeJS.Timeout | null;
}

const BETWEEN_MESSAGES = 0;
const READING_MESSAGE = 2;
const FRAME_BYTES = 5;

/** Every call: what grpc-js says of bytes that are no request is told as any other fault of the caller. */
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
  // A handler does not know that its call was ended here. What it writes after the end would break the stream, and the
  // status would never come.
  inner.sendMessage = (message, done) => {
    if (is_ended) done();
    else sendMessage(message, done);
  };
  inner.decoder.write = (data) => (is_ended ? [] : write(data));
  readTimeout(inner);
}

/** As the protocol of gRPC has it: at most eight digits, and a unit. */
const TIMEOUT = /^(\d{1,8})([HMSmun])$/;
const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000_001 };
/** The longest that a timer runs, nearly 25 days. Nobody waits so long for an answer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** grpc-js takes whatever has a digit and a unit somewhere in it, and ends a call of many days after what is left of them in 32 bits. */
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

/** Every error carries google.rpc details, also what grpc-js says by itself: that the time is up, that it cannot unpack. */
function withDetails(sent: Sent, newRequestId: () => string): Sent {
  const { code, details, metadata } = sent;
  if (code === status.OK || (metadata?.get('grpc-status-details-bin').length ?? 0) > 0) return sent;
  const id = newRequestId();
  const is_late = code === status.DEADLINE_EXCEEDED;
  const told = toCallStatus(is_late ? toStatus(new DeadlinePassed(), id) : plainStatus(code, details ?? '', id));
  if (metadata) told.metadata.merge(metadata);
  return told;
}

/** A failed call whose caller does not read does not stay for ever. */
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

const NO_CALL = 'the call is not what gRPC says';
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
  // Known by its code to every client, and so it stays.
  {
    code: status.RESOURCE_EXHAUSTED,
    details: /^Received message (?:larger than max|that decompresses to a size larger)/,
    error: 'too_large',
    says: 'send less in one message',
  },
];

/** A call that needs no key. */
export function boundOpenCall(call: ServerInterceptingCallInterface): void {
  const inner = call as InnerCall;
  inner.maxReceiveMessageSize = MAX_OPEN_MESSAGE_BYTES;
  inner.decoder.maxReadMessageLength = MAX_OPEN_MESSAGE_BYTES;
}

export interface Arrival {
  /** A message reached the handler, which counts it from now on: of a call of one message, once the client has ended. */
  delivered(): void;
  /** Of a call that has ended: in the middle of a message, which grpc-js forgets without a word. */
  isCutOff(): boolean;
  /** The call is over. */
  end(): void;
}

export interface CountingOptions {
  /** Several messages may come. */
  is_stream: boolean;
  unpack: Unpack;
  newRequestId: () => string;
}

/**
 * A customer's call: what arrives counts among the bytes that the customer has under way, and may not take for ever. When
 * there is no room, a call of one message ends. A stream waits: nothing more is read from it, and HTTP/2 flow control holds
 * its sender back, because others of the same customer may have taken the room.
 */
export function countArrival(
  call: ServerInterceptingCallInterface,
  customer_id: string,
  intake: Intake,
  { is_stream, unpack, newRequestId }: CountingOptions,
): Arrival {
  const inner = call as InnerCall;
  const { decoder } = inner;
  const write = decoder.write.bind(decoder);
  const startRead = inner.startRead.bind(inner);
  const handleEndEvent = inner.handleEndEvent.bind(inner);
  const decompress = inner.decompressMessage.bind(inner);
  /** What the whole messages count for that nobody took yet, oldest first. */
  const whole = new Map<Buffer, number>();
  /** What the message counts for that is arriving. */
  let partial = 0;
  /** Messages that came when there was no room: of one piece of the connection, which is small. */
  let held: Buffer[] = [];
  let waiting: NodeJS.Timeout | undefined;
  /** The client has sent all that it will, and grpc-js was not told yet. */
  let end_waits = false;
  let has_ended = false;
  let is_over = false;
  let late: NodeJS.Timeout | undefined;

  /** Counts what is there now. Throws when there is no room, and has counted nothing then. */
  const count = (messages: readonly Buffer[]): void => {
    const begun = decoder.readState === READING_MESSAGE && !has_ended ? decoder.readMessageSize : 0;
    const more = messages.reduce((sum, message) => sum + sizeOf(message), begun) - partial;
    if (more > 0) intake.enter(customer_id, more);
    else if (more < 0) intake.leave(customer_id, -more);
    for (const message of messages) whole.set(message, sizeOf(message));
    partial = begun;
  };
  const watchTime = (): void => {
    clearInterval(late);
    // The handler of one message is not asked before the client has ended: until then nobody has what is here.
    const waits_for_end = !is_stream && whole.size > 0 && !has_ended;
    if (partial === 0 && !waits_for_end) return;
    let seconds = 0;
    late = setInterval(() => {
      if (!inner.stream.isPaused()) seconds += 1;
      if (seconds >= ARRIVAL_S) fail(new DeadlinePassed());
    }, 1_000);
  };
  const fail = (error: unknown): void => {
    end();
    inner.sendStatus(toCallStatus(toStatus(error, newRequestId())));
  };
  const end = (): void => {
    is_over = true;
    clearInterval(late);
    clearInterval(waiting);
    held = [];
    const counted = [...whole.values()].reduce((sum, size) => sum + size, partial);
    whole.clear();
    partial = 0;
    if (counted > 0) intake.leave(customer_id, counted);
  };
  const hold = (messages: readonly Buffer[]): void => {
    held.push(...messages);
    inner.stream.pause();
    waiting ??= setInterval(goOn, ROOM_MS);
  };
  const goOn = (): void => {
    try {
      count(held);
    } catch {
      return;
    }
    clearInterval(waiting);
    waiting = undefined;
    watchTime();
    if (held.length === 0) inner.stream.resume();
    // Takes them from `write`, below.
    else inner.handleDataFrame(NOTHING);
    if (end_waits) handleEndEvent();
  };

  // Nothing more is waited for.
  inner.stream.once('end', () => {
    has_ended = true;
    clearInterval(late);
    if (partial > 0) intake.leave(customer_id, partial);
    partial = 0;
  });
  decoder.write = (data) => {
    if (is_over) return [];
    if (data === NOTHING) return held.splice(0);
    const was_reading = decoder.readState === READING_MESSAGE;
    const messages = write(data);
    // A stream may be silent for hours after a large message; nobody needs its pieces, and nobody counts them.
    if (decoder.readState === BETWEEN_MESSAGES) decoder.readPartialMessage = [];
    if (waiting !== undefined) {
      hold(messages);
      return [];
    }
    try {
      count(messages);
    } catch (error) {
      if (is_stream) hold(messages);
      else fail(error);
      return [];
    }
    // Another one began: its time counts anew.
    if (messages.length > 0 || !was_reading) watchTime();
    return messages;
  };
  // What it asks for comes when there is room, and the end after what came before it.
  inner.startRead = () => {
    startRead();
    if (waiting !== undefined) inner.stream.pause();
  };
  inner.handleEndEvent = () => {
    if (waiting === undefined) handleEndEvent();
    else end_waits = true;
  };
  inner.decompressMessage = (message, encoding) => {
    if (encoding === 'identity') return decompress(message, encoding);
    const size = sizeOf(message);
    const most_bytes = Math.max(0, Math.min(inner.maxReceiveMessageSize, MAX_UNPACKED * size) - size);
    const keep = (bytes: Buffer): number => {
      const more = Math.max(0, bytes.length - size);
      if (is_over) return 0;
      whole.set(message, size + more);
      return more;
    };
    const packed = { customer_id, most_bytes, may_wait: is_stream, isOver: () => is_over, keep };
    return unpack(packed, async () => decompress(message, encoding)).catch((error: unknown) => {
      if (error instanceof WeirError) fail(error);
      throw error;
    });
  };
  const delivered = (): void => {
    const [oldest] = whole;
    if (oldest === undefined) return;
    const [message, size] = oldest;
    whole.delete(message);
    if (size > 0) intake.leave(customer_id, size);
  };
  return { delivered, isCutOff: () => decoder.readState !== BETWEEN_MESSAGES, end };
}

const NOTHING = Buffer.alloc(0);

/** What a call is told that was cut off. */
export const cutOff = (): WeirError =>
  new WeirError('invalid', { detail: 'the call ended in the middle of a message; send it again, whole' });

const sizeOf = (framed: Buffer): number => framed.length - FRAME_BYTES;
