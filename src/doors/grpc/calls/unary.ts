/** One request, one answer. */
import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { type Share, takeIn } from '../../../platform/http/intake.ts';
import type { Codec, Encoder } from '../messages/proto.ts';
import { type Call, checkWanted, decode, type Method, waiterOf } from '../method.ts';
import { DeadlinePassed, toCallStatus } from '../status.ts';
import { admissionOf } from './admit.ts';
import { cutOff } from './arrival.ts';

/** Deadline of calls that set none: an answer is of no use long after the action it is about. */
const DEFAULT_DEADLINE_MS = 30_000;

export interface UnaryDefinition<Request, Answer> {
  name: string;
  request: Codec<Request>;
  answer: Encoder<Answer>;
  handle: (request: Request, call: Call) => Promise<Answer>;
}

export function unary<Request, Answer>(definition: UnaryDefinition<Request, Answer>): Method {
  const { name, request, answer, handle } = definition;
  return {
    name,
    bind:
      ({ newRequestId, report, measure, intake }) =>
      (call: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>) => {
        const request_id = newRequestId();
        const started = performance.now();
        const fail = (error: unknown): void => {
          const told = report(error, name, request_id);
          measure(name, told.code, started);
          respond(toCallStatus(told));
        };
        const succeed = (bytes: Buffer): void => {
          measure(name, status.OK, started);
          respond(null, bytes);
        };
        const { caller, bearer, isCutOff } = admissionOf(call.metadata);
        const { customer_id } = caller;
        const { length } = call.request;
        const work = async (): Promise<Buffer> => {
          checkWanted(call);
          if (isCutOff()) throw cutOff();
          const share = takeIn(intake, customer_id, length);
          return read(share).finally(share.leave);
        };
        const read = async ({ weigh }: Share): Promise<Buffer> => {
          const may_hold_nul = call.request.includes(0);
          const asked = decode(request, call.request);
          const told: Call = { caller, bearer, request_id, may_hold_nul, weigh, ...waiterOf(call) };
          return answer.encode(await handle(asked, told));
        };
        let is_answered = false;
        const once = (send: () => void): void => {
          if (!is_answered) send();
          is_answered = true;
          clearTimeout(timer);
        };
        const timer = Number.isFinite(Number(call.getDeadline()))
          ? undefined
          : setTimeout(() => once(() => fail(new DeadlinePassed())), DEFAULT_DEADLINE_MS);
        call.once('cancelled', () => clearTimeout(timer));
        work().then(
          (bytes) => once(() => succeed(bytes)),
          (error: unknown) => once(() => fail(error)),
        );
      },
  };
}
