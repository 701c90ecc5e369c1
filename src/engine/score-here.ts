/** Scores on the thread that asks. */
import { AssessmentJson } from '../scoring/assessment-json.ts';
import { type Footprint, footprintOf } from '../scoring/history/trace.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { Readings } from '../scoring/readings.ts';
import { scoreReadings } from '../scoring/score.ts';
import type { CompiledPolicy, History } from '../scoring/types.ts';
import { type Extent, evidenceOf } from './evidence.ts';
import type { Scorable } from './submission.ts';

/** A `Scorer` that nobody has to wait for. */
export interface ScorerHere {
  footprint(): Footprint;
  score(history: History | null): AssessmentJson;
}

/** A `BeginScoring`. */
export type BeginHere = (
  customer_id: string,
  scorable: Pick<Scorable, 'event'>,
  policy: CompiledPolicy,
  extent: Extent,
) => ScorerHere;

export function scoreHere(knowledge: Knowledge): BeginHere {
  return (_customer_id, { event }, policy, extent) => {
    let readings: Readings | null = null;
    const read = (): Readings =>
      (readings ??= new Readings(evidenceOf(event, policy, null, extent), knowledge.ontology));
    return {
      footprint: () => footprintOf(read()),
      score(history) {
        read().recall(history);
        return new AssessmentJson(Object.freeze(scoreReadings(read(), knowledge)));
      },
    };
  };
}
