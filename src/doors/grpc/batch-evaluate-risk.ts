/** BatchEvaluateRisk: at most 1,000 actions, all read before the first is scored. */

import type { EvaluateAllAs } from '../../engine/callers.ts';
import { isConflict } from '../../engine/conflict.ts';
import type { ReadEvent } from '../../events/read-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { WeirError } from '../../platform/errors.ts';
import { unary } from './calls/unary.ts';
import { riskAssessment } from './messages/assessment.ts';
import type { ActionContext } from './messages/messages.ts';
import { codecOf, encoderOf } from './messages/proto.ts';
import { invalid, readContext } from './messages/read-context.ts';
import { checkCustomer, type Method } from './method.ts';

/** The same as POST /events/batch. */
const MAX_CONTEXTS = 1_000;

export function batchEvaluateRisk({
  evaluate_all_as,
  clock,
}: {
  evaluate_all_as: EvaluateAllAs;
  clock: Clock;
}): Method {
  return unary({
    name: 'BatchEvaluateRisk',
    request: codecOf('risk.v1.BatchEvaluateRiskRequest'),
    answer: encoderOf('risk.v1.BatchEvaluateRiskResponse'),
    handle: async ({ contexts, customer_id }, call) => {
      const { caller, bearer, request_id, may_hold_nul } = call;
      checkCustomer(customer_id, caller);
      const events = readContexts(contexts, may_hold_nul, clock);
      call.weigh(events.reduce((sum, { values }) => sum + values, 0));
      const outcomes = await evaluate_all_as(bearer, caller, events, request_id, call);
      return {
        assessments: outcomes.map(({ record }) => riskAssessment(record)),
        event_ids: outcomes.map(({ record }) => record.event_id),
      };
    },
  });
}

/** All or nothing: throws with everything that is wrong with the first context that is not valid. */
function readContexts(contexts: readonly ActionContext[], may_hold_nul: boolean, clock: Clock): ReadEvent[] {
  if (contexts.length > MAX_CONTEXTS) {
    const message = `has ${contexts.length} entries; send at most ${MAX_CONTEXTS} in one call`;
    throw invalid([{ path: 'contexts', message }]);
  }
  const read_before = new Map<string, ReadEvent>();
  return contexts.map((context, i) => {
    const read = readContext(context, `contexts[${i}]`, may_hold_nul, clock);
    const { event_id } = read.event;
    const earlier = read_before.get(event_id);
    if (earlier !== undefined && isConflict(read, earlier)) {
      throw new WeirError('event_conflict', {
        detail: `\`contexts[${i}].event_id\` occurs earlier in this batch with other content; use a new event_id`,
      });
    }
    read_before.set(event_id, read);
    return read;
  });
}
