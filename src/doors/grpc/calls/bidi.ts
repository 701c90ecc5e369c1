/**
 * A stream of requests, each answered individually, many at a time. The work in progress is bounded in number and in
 * bytes; an answer counts until the client has taken it. At the bound nothing more is read, and HTTP/2 flow control
 * holds the sender back: a client that sends fast or reads slowly takes a bounded amount of memory, however long the
 * stream.
 */
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Caller, Waiter } from '../../../platform/caller.ts';
import { WeirError } from '../../../platform/errors.ts';
import { type Share, takeIn } from '../../../platform/http/intake.ts';
import type { Status } from '../messages/messages.ts';
import type { Codec, Encoder } from '../messages/proto.ts';
import { type Call, decode, type Method, type Surroundings, waiterOf } from '../method.ts';
import { toCallStatus, toStatus } from '../status.ts';
import { type Admission, admissionOf } from './admit.ts';
import { cutOff } from './arrival.ts';
import { createInWork, type Entered, type InWork } from './in-work.ts';

export interface BidiDefinition<Request, Answer> {
  name: string;
  request: Codec<Request>;
  answer: Encoder<Answer>;
  handle: (request: Request, call: Call) => Promise<Answer>;
  /**
   * The answer to a request that failed, from its bytes: it may have been refused unread, or not be a message at all.
   */
  refuse: (bytes: Buffer, error: Status) => Answer;
}

export function bidi<Request, Answer>(definition: BidiDefinition<Request, Answer>): Method {
  return {
    name: definition.name,
    bind: (surroundings) => (stream: ServerDuplexStream<Buffer, Buffer>) => serve(stream, definition, surroundings),
  };
}

type Stream = ServerDuplexStream<Buffer, Buffer>;

function serve<Request, Answer>(
  stream: Stream,
  definition: BidiDefinition<Request, Answer>,
  surroundings: Surroundings,
): void {
  const { name } = definition;
  const { newRequestId, report, stopping } = surroundings;
  const admission = admissionOf(stream.metadata);
  const writes = createWriter(stream);
  // One for all requests of the stream, which may be endless.
  const waiter = waiterOf(stream);
  const in_work = createInWork(() => pace());
  /** Set when nothing more will be read; the status to end with once the answers are sent, `null` for OK. */
  let ending: { status: Status | null } | null = null;

  const endWhenDone = (): void => {
    if (ending === null || !in_work.isEmpty() || stream.cancelled) return;
    stopping.removeEventListener('abort', stop);
    if (ending.status === null) stream.end();
    else stream.emit('error', toCallStatus(ending.status));
  };
  const endWith = (status: Status | null): void => {
    ending ??= { status };
    stream.pause();
    endWhenDone();
  };
  // Not a failure, so not logged.
  const stop = (): void => endWith(toStatus(new WeirError('unavailable', { detail: STOPPING }), newRequestId()));
  const pace = (): void => {
    if (ending !== null) return;
    if (in_work.isFull()) stream.pause();
    else if (stream.isPaused()) stream.resume();
  };

  // Not `async`: that would retain the request while the answer waits for a client that does not read.
  const take = (bytes: Buffer): void => {
    const entered = in_work.enter(bytes.length);
    const request_id = newRequestId();
    answer({ bytes, request_id, in_work, entered }, waiter, admission, definition, surroundings)
      .then(({ encoded, leave }) => writes.write(encoded).finally(leave))
      .catch((error: unknown) => endWith(report(error, name, request_id)))
      .finally(() => {
        entered.leave();
        endWhenDone();
      });
  };

  stream.on('data', (bytes: Buffer) => {
    if (ending === null) take(bytes);
  });
  stream.on('end', () => endWith(admission.isCutOff() ? report(cutOff(), name, newRequestId()) : null));
  stream.on('cancelled', () => stopping.removeEventListener('abort', stop));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
}

const STOPPING = 'the server is stopping; send the requests without an answer again on another connection';

/** One request of a stream. */
interface One {
  bytes: Buffer;
  request_id: string;
  in_work: InWork;
  entered: Entered;
}

interface Answered {
  encoded: Buffer;
  /** The client has taken it. */
  leave(): void;
}

/** Rejects only when the whole stream must end: its key or token is no longer valid. */
async function answer<Request, Answer>(
  { bytes, request_id, in_work, entered }: One,
  waiter: Waiter,
  { bearer, again }: Admission,
  { name, request, answer, handle, refuse }: BidiDefinition<Request, Answer>,
  { report, measure, intake }: Surroundings,
): Promise<Answered> {
  let share: Share | null = null;
  const told = (encoded: Buffer): Answered => {
    share?.answered(encoded.length);
    return { encoded, leave: () => share?.leave() };
  };
  const started = performance.now();
  try {
    // Each request counts against the rate, and a key or token that was revoked ends its stream.
    const admitted = again();
    const caller: Caller = admitted instanceof Promise ? await admitted : admitted;
    const taken = takeIn(intake, caller.customer_id, bytes.length);
    share = taken;
    // No `await` from here to `weigh`, so that no two requests take the same room.
    while (in_work.isCrowded()) await in_work.oneLeft();
    const asked = decode(request, bytes);
    const may_hold_nul = bytes.includes(0);
    const weigh = (values: number): void => entered.grow(taken.weigh(values));
    const call: Call = { caller, bearer, request_id, may_hold_nul, weigh, ...waiter };
    call.checkWanted();
    const encoded = answer.encode(await handle(asked, call));
    measure(name, status.OK, started);
    return told(encoded);
  } catch (error) {
    if (error instanceof WeirError && error.code === 'unauthenticated') {
      share?.leave();
      throw error;
    }
    const refusal = report(error, name, request_id);
    measure(name, refusal.code, started);
    return told(answer.encode(refuse(bytes, refusal)));
  }
}

interface Writer {
  /** Resolves when the stream accepts more, or when the client is gone. */
  write(bytes: Buffer): Promise<void>;
}

/** A cancelled call never drains, so its end has to wake the writers that wait. */
function createWriter(stream: Stream): Writer {
  let drained: Promise<void> | null = null;
  let wake = (): void => {};
  const release = (): void => {
    drained = null;
    wake();
  };
  stream.on('drain', release);
  stream.on('cancelled', release);
  return {
    write: async (bytes) => {
      if (stream.cancelled || stream.write(bytes)) return;
      drained ??= new Promise((resolve) => {
        wake = resolve;
      });
      await drained;
    },
  };
}
