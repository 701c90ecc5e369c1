/** Scores on the thread that asks. */

import type { Scorable } from '../../events/submission.ts';
import { AssessmentJson } from '../../records/assessment-json.ts';
import type { Keeping } from '../../records/kept-assessment.ts';
import { Facts } from '../../scoring/facts/fact-table.ts';
import { type Footprint, footprintOf } from '../../scoring/history/trace.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { NO_POLICY } from '../../scoring/policy/policy.ts';
import { Readings } from '../../scoring/read/readings.ts';
import { scoreFacts } from '../../scoring/score.ts';
import type { CompiledPolicy, History } from '../../scoring/types.ts';
import { type Extent, evidenceOf } from '../evidence.ts';
import type { ReadEvent, Scorer } from './scoring.ts';

/** A `BeginScoring`. */
export type BeginHere = (
  customer_id: string,
  scorable: Pick<Scorable, 'event'>,
  policy: CompiledPolicy,
  extent: Extent,
) => ScorerHere;

/** A `Scorer` that nobody has to wait for. */
export interface ScorerHere extends Scorer {
  footprint(): Footprint;
  score(history: History | null): AssessmentJson;
  leave(): ReadEvent;
}

/** `keeping`: by the texts that the store has of this knowledge (`ScoreStore.keepRuleTexts`). */
export function scoreHere(knowledge: Knowledge, keeping: Keeping): BeginHere {
  const scorerOf = (facts: () => Facts): ScorerHere => ({
    footprint: () => footprintOf(facts().readings),
    score(history) {
      facts().recall(history);
      return new AssessmentJson(Object.freeze(scoreFacts(facts(), knowledge)), keeping);
    },
    leave() {
      const left = facts();
      const { readings } = left;
      readings.evidence = { ...readings.evidence, policy: NO_POLICY, history: null };
      return {
        begin(policy) {
          readings.evidence = { ...readings.evidence, policy };
          return scorerOf(() => left);
        },
      };
    },
  });
  return (_customer_id, { event }, policy, extent) => {
    let facts: Facts | null = null;
    const read = (): Facts => new Facts(new Readings(evidenceOf(event, policy, null, extent), knowledge.ontology));
    return scorerOf(() => (facts ??= read()));
  };
}
