/** StreamEvaluateRisk: scores requests as they arrive, many at a time, and answers as they are ready. */
import type { EvaluateAs } from '../../engine/callers.ts';
import type { Clock } from '../../platform/clock.ts';
import { bidi } from './calls/bidi.ts';
import { riskAssessment } from './messages/assessment.ts';
import { codecOf, encoderOf, textReaderOf } from './messages/proto.ts';
import { readContext } from './messages/read-context.ts';
import { checkCustomer, type Method } from './method.ts';

/** Also of a request that is refused: without it the client could not match the refusal. */
const requestIdOf = textReaderOf('risk.v1.StreamEvaluateRiskRequest', 'request_id');

export function streamEvaluateRisk({ evaluate_as, clock }: { evaluate_as: EvaluateAs; clock: Clock }): Method {
  return bidi({
    name: 'StreamEvaluateRisk',
    request: codecOf('risk.v1.StreamEvaluateRiskRequest'),
    answer: encoderOf('risk.v1.StreamEvaluateRiskResponse'),
    handle: async ({ request_id, context, customer_id }, { caller, bearer, may_hold_nul, ...call }) => {
      checkCustomer(customer_id, caller);
      const submission = readContext(context, 'context', may_hold_nul, clock);
      call.weigh(submission.values);
      const { record } = await evaluate_as(bearer, caller, submission, call.request_id, call);
      return { request_id, assessment: riskAssessment(record), event_id: record.event_id, error: null };
    },
    refuse: (bytes, error) => ({ request_id: requestIdOf(bytes), assessment: null, event_id: '', error }),
  });
}
