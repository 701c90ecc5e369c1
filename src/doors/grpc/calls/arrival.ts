/**
 * Bounds the part of a call that has not arrived yet, in bytes and in time, before there is a message that could be
 * refused. grpc-js keeps the pieces of a message, and what it decompresses, without telling the handler. Therefore this
 * module uses grpc-js's internal call object (`inner-call.ts`).
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { WeirError } from '../../../platform/errors.ts';
import type { Intake } from '../../../platform/http/intake.ts';
import type { Unpack } from '../messages/unpacker.ts';
import { DeadlinePassed, toCallStatus, toStatus } from '../status.ts';
import type { InnerCall } from './inner-call.ts';

/** Largest message that is read, the usual limit of gRPC; a larger one ends the call with RESOURCE_EXHAUSTED. */
export const MAX_MESSAGE_BYTES = 4 * 1_048_576;
/** The same for calls without a key: the name of a service, or of a symbol. */
const MAX_OPEN_MESSAGE_BYTES = 4_096;
/**
 * Time for a message to arrive once it has begun, as for a body of REST, and for the end that a unary call also needs;
 * time in which the server does not read does not count.
 */
const ARRIVAL_S = 10;
/** How often a stream that waits for room checks for it. */
const ROOM_MS = 20;
/** Upper bound of the compression ratio of deflate, by its format. */
const MAX_UNPACKED = 1_032;

const BETWEEN_MESSAGES = 0;
const READING_MESSAGE = 2;
const FRAME_BYTES = 5;

/** A call that needs no key. */
export function boundOpenCall(call: ServerInterceptingCallInterface): void {
  const inner = call as InnerCall;
  inner.maxReceiveMessageSize = MAX_OPEN_MESSAGE_BYTES;
  inner.decoder.maxReadMessageLength = MAX_OPEN_MESSAGE_BYTES;
}

export interface Arrival {
  /** A message reached the handler, which counts it from now on: for a unary call, once the client has ended. */
  delivered(): void;
  /** The call ended in the middle of a message, which grpc-js drops silently. */
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
 * A customer's call: arriving bytes count among those that the customer has in flight, and may not take forever.
 * Without room a unary call ends. A stream waits: nothing more is read from it, and HTTP/2 flow control holds its
 * sender back, because other calls of the same customer may have taken the room.
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
  /** Bytes counted for complete messages that are not taken yet, oldest first. */
  const whole = new Map<Buffer, number>();
  /** Bytes counted for the message that is arriving. */
  let partial = 0;
  /** Messages that arrived when there was no room: from one piece of the connection, which is small. */
  let held: Buffer[] = [];
  let waiting: NodeJS.Timeout | undefined;
  /** The client has sent everything, and grpc-js was not told yet. */
  let end_waits = false;
  let has_ended = false;
  let is_over = false;
  let late: NodeJS.Timeout | undefined;

  /** Counts the bytes that are here now. Throws when there is no room, and has then counted nothing. */
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
    // A unary handler does not run before the client has ended: until then these bytes are counted here.
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

  // Nothing more is expected.
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
    // A stream may be silent for hours after a large message; its pieces are dropped and no longer counted.
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
    // Another message began: its time starts now.
    if (messages.length > 0 || !was_reading) watchTime();
    return messages;
  };
  // Passes on what was requested when there is room, and the end after the messages before it.
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

/** The error of a call that was cut off. */
export const cutOff = (): WeirError =>
  new WeirError('invalid', { detail: 'the call ended in the middle of a message; send it again, whole' });

const sizeOf = (framed: Buffer): number => framed.length - FRAME_BYTES;
