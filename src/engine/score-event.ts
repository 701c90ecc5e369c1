/** One event with what is remembered of its agent and session: its history, its score, and what it leaves behind. */
import { historyOf, type Memories } from '../scoring/history/recall.ts';
import { claimedTimeOf, footprintOf } from '../scoring/history/trace.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { timestampOf } from '../scoring/read/time.ts';
import { Readings } from '../scoring/readings.ts';
import { scoreReadings } from '../scoring/score.ts';
import type { Assessment, CompiledPolicy, History } from '../scoring/types.ts';
import type { Past, RecordJson } from '../storage/ports.ts';
import { type Extent, evidenceOf } from './evidence.ts';
import type { Owners } from './memories.ts';
import type { ScoreCache } from './score-cache.ts';
import type { Scorable } from './submission.ts';

export interface ScoredEvent {
  assessment: Assessment;
  cache_hit: boolean;
  past: Past | null;
  json: RecordJson;
}

/** The memories of the event's owners, and the time by the database's clock at which they were asked. */
export interface Remembered {
  owners: Owners;
  memories: Memories;
  now: number;
}

/** `remembered` is null for an event that names neither agent nor session. */
export type ScoreEvent = (
  customer_id: string,
  scorable: Scorable,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => ScoredEvent;

export function createScoreEvent(knowledge: Knowledge, cache: ScoreCache): ScoreEvent {
  return (customer_id, scorable, policy, remembered, extent) => {
    const { event } = scorable;
    // An outline stands in for one event that could not be scored whole: that is no score to serve again.
    const content = cache.open(extent === 'outline' ? null : cache.contentKey(customer_id, scorable, policy));
    let readings: Readings | null = null;
    const read = (): Readings =>
      (readings ??= new Readings(evidenceOf(event, policy, null, extent), knowledge.ontology));
    const score = (history: History | null) =>
      content.score(history, () => {
        read().recall(history);
        return scoreReadings(read(), knowledge);
      });
    if (remembered === null) {
      const { json, cache_hit } = score(null);
      return { assessment: json.assessment, cache_hit, past: null, json: { assessment: json } };
    }

    const footprint = content.footprint(() => footprintOf(read()));
    const history = historyOf(remembered.memories, footprint, event, remembered.now);
    const { json, cache_hit } = score(history);
    const { assessment } = json;
    const trace = { ...footprint, ...claimedTimeOf(timestampOf(event)), score: assessment.rule_score };
    return {
      assessment,
      cache_hit,
      past: { ...keysOf(remembered.owners), trace, history },
      json: { assessment: json },
    };
  };
}

/** How the record names the owners. */
function keysOf({ agent, session }: Owners): Pick<Past, 'agent_key' | 'session_key'> {
  return { agent_key: agent?.key ?? null, session_key: session?.key ?? null };
}
