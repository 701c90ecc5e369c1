/** Scores on the thread that asks. */
import { AssessmentJson } from '../scoring/assessment-json.ts';
import { type Footprint, footprintOf } from '../scoring/history/trace.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { NO_POLICY } from '../scoring/policy.ts';
import { Readings } from '../scoring/readings.ts';
import { scoreReadings } from '../scoring/score.ts';
import type { CompiledPolicy, History } from '../scoring/types.ts';
import { type Extent, evidenceOf } from './evidence.ts';
import type { ReadEvent, Scorer } from './scoring.ts';
import type { Scorable } from './submission.ts';

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

export function scoreHere(knowledge: Knowledge): BeginHere {
  const scorerOf = (readings: () => Readings): ScorerHere => ({
    footprint: () => footprintOf(readings()),
    score(history) {
      readings().recall(history);
      return new AssessmentJson(Object.freeze(scoreReadings(readings(), knowledge)));
    },
    leave() {
      const read = readings();
      read.evidence = { ...read.evidence, policy: NO_POLICY, history: null };
      return {
        begin(policy) {
          read.evidence = { ...read.evidence, policy };
          return scorerOf(() => read);
        },
      };
    },
  });
  return (_customer_id, { event }, policy, extent) => {
    let readings: Readings | null = null;
    return scorerOf(() => (readings ??= new Readings(evidenceOf(event, policy, null, extent), knowledge.ontology)));
  };
}
