/**
 * Makes the score of one event with what is remembered of its agent and session: from the cache, or by a scorer, which calls the two
 * halves of `score` (scoring/score.ts) in this thread or in a scoring thread (threads/pool.ts).
 */
import type { AgentEvent } from '../../events/event.ts';
import type { Scorable } from '../../events/submission.ts';
import { actionHash } from '../../holds/action-hash.ts';
import { ownerKey } from '../../records/facets.ts';
import type { Past, RecordJson } from '../../records/record.ts';
import { AssessmentJson, pastJson } from '../../records/texts.ts';
import { type Actor, markOf, shortKey } from '../../scoring/history/marks.ts';
import { historyOf, type Memories } from '../../scoring/history/recall.ts';
import { claimedTimeOf, type Footprint, keptOf } from '../../scoring/history/trace.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { isHeldAt, levelOf } from '../../scoring/level.ts';
import type { Extent } from '../../scoring/outline.ts';
import { timestampOf } from '../../scoring/read/action/time.ts';
import { type EventReading, read } from '../../scoring/score.ts';
import type { Assessment, CompiledPolicy, History } from '../../scoring/types.ts';
import type { Owners } from '../memories/memories.ts';
import type { ScoreCache, Scored } from './score-cache.ts';

/** A value, now or later. Most scores are made without waiting, and a promise for each would cost a turn of the event loop. */
export type Later<T> = T | Promise<T>;

/** Calls `next` with the value as soon as it is there: at once when it is not a promise. */
export function whenThere<T, U>(value: Later<T>, next: (value: T) => Later<U>): Later<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A scoring thread crashed, hung or threw over this event, so it cannot be scored whole. */
export class ScoringFailed extends Error {}

/** One event while it is scored. `footprint` and `score` may reject with `ScoringFailed`. */
export interface Scorer {
  footprint(): Later<Footprint>;
  score(past: History | null): Later<AssessmentJson>;
  /** What this thread has read of the event; null when another one read it. The scorer must not be used afterwards. */
  reading(): EventReading | null;
}

/** Nothing is read of the event before the scorer is asked for something. */
export type BeginScoring = (customer_id: string, scorable: Scorable, policy: CompiledPolicy, extent: Extent) => Scorer;

/** Scores in the thread that asks. */
export function scoreHere(knowledge: Knowledge): BeginScoring {
  return (_customer_id, { event }, policy, extent) => scorerOf(read(event, policy, knowledge, extent));
}

/** Goes on with an event that was read before. */
function scorerOf(reading: EventReading): Scorer {
  return {
    footprint: () => reading.footprint(),
    score: (past) => new AssessmentJson(Object.freeze(reading.score(past))),
    reading: () => reading,
  };
}

/** The memories of the event's owners, and the time by the database's clock at which they were read. */
export interface Remembered {
  owners: Owners;
  memories: Memories;
  /** Milliseconds since 1970. */
  now: number;
}

/** A score, and what is stored with it. */
export interface MadeScore {
  assessment: Assessment;
  cache_hit: boolean;
  past: Past | null;
  json: RecordJson;
  /** What the approval of a hold refers to (holds/action-hash.ts); null when the action cannot be hashed. */
  actionHash(): string | null;
}

/** `remembered` is null for an event that names neither agent nor session. */
export type MakeScore = (
  customer_id: string,
  scorable: Scorable,
  policy: CompiledPolicy,
  remembered: Remembered | null,
  extent: Extent,
) => Later<MadeScore>;

/** If scoring an event fails (`ScoringFailed`), the event is scored by its outline. */
export function createMakeScore(begin: BeginScoring, cache: ScoreCache): MakeScore {
  const make = createMakeExtent(begin, cache);
  return (customer_id, scorable, policy, remembered, extent) => {
    const made = make(customer_id, scorable, policy, remembered, extent);
    if (!(made instanceof Promise)) return made;
    return made.catch((error: unknown) => {
      if (!(error instanceof ScoringFailed)) throw error;
      return make(customer_id, scorable, policy, remembered, 'outline');
    });
  };
}

function createMakeExtent(begin: BeginScoring, cache: ScoreCache): MakeScore {
  return (customer_id, scorable, policy, remembered, extent) => {
    const { event } = scorable;
    // An outline replaces the score of one event that failed; an equal event must be tried whole again.
    const content_key = extent === 'outline' ? null : cache.contentKey(customer_id, scorable, policy);
    const content = cache.open(content_key, scorable.json?.length);
    let scorer: Scorer | null = null;
    const start = (): Scorer => {
      const known = content.reading(policy);
      return known === null ? begin(customer_id, scorable, policy, extent) : scorerOf(known);
    };
    const scorerOnce = (): Scorer => (scorer ??= start());
    const hashAction = (): string | null => content.actionHash(() => actionHash(event));

    const scoreOf = (history: History | null): Later<Scored> => {
      const known = content.find(history);
      if (known !== null) return known;
      const started = scorerOnce();
      return whenThere(started.score(history), (json) => content.add(history, json, started.reading));
    };

    const withPast = (history: History | null, footprint: Footprint | null): Later<MadeScore> =>
      whenThere(scoreOf(history), (scored) => {
        const { json, cache_hit } = scored;
        const past = footprint === null ? null : pastOf(scored, event, footprint, history, remembered!.owners, policy);
        return {
          assessment: json.assessment,
          cache_hit,
          past: past === null ? null : past.past,
          json: { assessment: json, past: past === null ? null : past.json },
          actionHash: hashAction,
        };
      });

    if (remembered === null) return withPast(null, null);
    return whenThere(content.footprint ?? scorerOnce().footprint(), (footprint) => {
      content.footprint = footprint;
      const actor = actorOf(remembered.owners, footprint);
      return withPast(historyOf(remembered.memories, footprint, event, remembered.now, actor), footprint);
    });
  };
}

const actorOf = ({ agent, session }: Pick<Owners, 'agent' | 'session'>, { parent }: Footprint): Actor => ({
  agent: shortKey(agent?.key),
  session: shortKey(session?.key),
  parent: parent === undefined ? '' : shortKey(ownerKey('agent', parent)),
});

/** What is stored of the past. Agent and session are part of the content that a score is cached for, so it is cached with the score. */
function pastOf(
  { json, past }: Scored,
  event: AgentEvent,
  footprint: Footprint,
  history: History | null,
  { agent, session }: Owners,
  { hold_threshold }: CompiledPolicy,
): { past: Past; json: string } {
  const claimed = claimedTimeOf(timestampOf(event));
  return past(claimed, (history_json) => {
    const { score: final, rule_score: score } = json.assessment;
    const is_held = hold_threshold !== null && isHeldAt(levelOf(final), hold_threshold);
    const mark = markOf(footprint, history, { rule_score: score, is_held }, actorOf({ agent, session }, footprint));
    const inherited = history?.classes_of_others ?? [];
    const seen = session === null ? [] : (history?.seen_classes ?? []);
    const trace = {
      ...keptOf(footprint),
      ...claimed,
      score,
      ...(mark === undefined ? {} : { mark }),
      ...(inherited.length === 0 ? {} : { inherited }),
      ...(seen.length === 0 ? {} : { seen }),
    };
    const made = { agent_key: agent?.key ?? null, session_key: session?.key ?? null, trace, history };
    return { past: made, json: pastJson(made, history_json) };
  });
}
