/** One event with what is remembered of its agent and session: its history, its score, and what it leaves behind. */
import { actionHash } from '../holds/action-hash.ts';
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
  /** What a hold of this event approves (holds/action-hash.ts). */
  actionHash(): string | null;
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
    const score = (history: History | null, history_json: string) =>
      content.score(history_json, () => {
        read().recall(history);
        return scoreReadings(read(), knowledge);
      });
    const hashAction = (): string | null => content.actionHash(() => actionHash(event));
    if (remembered === null) {
      const { json, cache_hit } = score(null, 'null');
      return { assessment: json.assessment, cache_hit, past: null, json: { assessment: json }, actionHash: hashAction };
    }

    const footprint = content.footprint(() => footprintOf(read()));
    const history = historyOf(remembered.memories, footprint, event, remembered.now);
    const history_json = JSON.stringify(history);
    const { json, cache_hit } = score(history, history_json);
    const { assessment } = json;
    const { agent, session } = remembered.owners;
    const agent_key = agent?.key ?? null;
    const session_key = session?.key ?? null;
    const trace = { ...footprint, ...claimedTimeOf(timestampOf(event)), score: assessment.rule_score };
    const head = JSON.stringify({ agent_key, session_key, trace });
    return {
      assessment,
      cache_hit,
      past: { agent_key, session_key, trace, history },
      json: { assessment: json, past: `${head.slice(0, -1)},"history":${history_json}}` },
      actionHash: hashAction,
    };
  };
}
