/** EvaluateRisk: one action, one score. */
import type { EvaluateAs } from '../../engine/callers.ts';
import type { Clock } from '../../platform/clock.ts';
import { unary } from './calls/unary.ts';
import { riskAssessment } from './messages/assessment.ts';
import { codecOf, encoderOf } from './messages/proto.ts';
import { readContext } from './messages/read-context.ts';
import { checkCustomer, type Method } from './method.ts';

export function evaluateRisk({ evaluate_as, clock }: { evaluate_as: EvaluateAs; clock: Clock }): Method {
  return unary({
    name: 'EvaluateRisk',
    request: codecOf('risk.v1.EvaluateRiskRequest'),
    answer: encoderOf('risk.v1.EvaluateRiskResponse'),
    handle: async ({ context, customer_id }, call) => {
      const { caller, bearer, request_id, may_hold_nul } = call;
      checkCustomer(customer_id, caller);
      const submission = readContext(context, 'context', may_hold_nul, clock);
      call.weigh(submission.values);
      const { record } = await evaluate_as(bearer, caller, submission, request_id, call);
      return { assessment: riskAssessment(record), event_id: record.event_id };
    },
  });
}
