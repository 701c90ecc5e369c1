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
    const score = (history: History | null) =>
      content.score(history, () => {
        read().recall(history);
        return scoreReadings(read(), knowledge);
      });
    const hashAction = (): string | null => content.actionHash(() => actionHash(event));
    if (remembered === null) {
      const { json, cache_hit } = score(null);
      return { assessment: json.assessment, cache_hit, past: null, json: { assessment: json }, actionHash: hashAction };
    }

    const footprint = content.footprint(() => footprintOf(read()));
    const history = historyOf(remembered.memories, footprint, event, remembered.now);
    const { json, cache_hit, past } = score(history);
    const { assessment } = json;
    const claimed = claimedTimeOf(timestampOf(event));
    // Agent and session are part of the content that the score is kept for.
    const made = past(claimed, (history_json) => {
      const { agent, session } = remembered.owners;
      const head = {
        agent_key: agent?.key ?? null,
        session_key: session?.key ?? null,
        trace: { ...footprint, ...claimed, score: assessment.rule_score },
      };
      return {
        past: { ...head, history },
        json: `${JSON.stringify(head).slice(0, -1)},"history":${history_json}}`,
      };
    });
    return {
      assessment,
      cache_hit,
      past: made.past,
      json: { assessment: json, past: made.json },
      actionHash: hashAction,
    };
  };
}
