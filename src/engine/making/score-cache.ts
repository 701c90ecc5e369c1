/**
 * Caches the scores of events that come again with the same content, in this process. The key holds everything that a score
 * depends on: customer, policy version, version of ontology and rules, history, and a hash of the event without its id, its
 * metadata and the part of its timestamp that no rule reads. So no entry ever has to be invalidated.
 */
import { LRUCache } from 'lru-cache';
import type { Scorable } from '../../events/submission.ts';
import type { Past } from '../../records/record.ts';
import { type AssessmentJson, historyJson } from '../../records/texts.ts';
import { isSameHistory } from '../../scoring/history/same-history.ts';
import type { ClaimedTime, Footprint } from '../../scoring/history/trace.ts';
import { NO_POLICY } from '../../scoring/policy/policy.ts';
import { readTime } from '../../scoring/read/action/time.ts';
import type { EventReading } from '../../scoring/score.ts';
import type { CompiledPolicy, History } from '../../scoring/types.ts';

/** Five to ten thousand scores, by an estimate of the memory of each once it was asked for again. */
const MAX_BYTES = 100_000_000;
const BASE_BYTES = 5_000;
/** Of an assessment with its objects and its two texts, for each character of the one that answers show. */
const BYTES_PER_CHARACTER = 7;
/**
 * Characters of the events whose readings are cached, counted for each form that is read. A reading takes eleven bytes a character, thirty for a list of small
 * numbers, and keeps the event itself, metadata included, in memory.
 */
const MAX_READ = 2_000_000;
/** A larger one is read again. */
const LONGEST_READ = 8_192;
/** Scores cached for one content, each for another past, the newest compared first: few pasts differ, and they change in one direction. */
const MAX_PASTS = 4;
/** Fields that only a customer's condition reads; its finding then shows them as they stand in the event. */
const EXACT = ['event_id', 'timestamp'] as const;

function exactNames({ custom_rules }: CompiledPolicy): readonly ('event_id' | 'timestamp')[] {
  return EXACT.filter((name) => custom_rules.some(({ condition }) => condition.reads.includes(name)));
}

/** One cached content: what depends on the content alone, and its score for each past. */
interface CachedContent {
  footprint: Footprint | null;
  /** `undefined`: not computed yet. */
  action_hash: string | null | undefined;
  /** Newest first. */
  scores: CachedScore[];
}

interface CachedScore {
  history: History | null;
  history_json: string;
  json: AssessmentJson;
  /** The last past that was made with it. */
  past: (ClaimedTime & PastJson) | null;
}

/** What is stored of an event's past, with its JSON. Shared by several events, so it must not be changed. */
export interface PastJson {
  past: Past;
  json: string;
}

export interface ScoreCache {
  /** The event's content as a key; `null` for an event without a hash of its content. */
  contentKey(customer_id: string, scorable: Scorable, policy: CompiledPolicy): string | null;
  /** What is cached of this content; with `null` nothing is cached. `length`: characters of the whole event; absent, it may be large. */
  open(content_key: string | null, length?: number): OpenContent;
}

/** One content while an event with it is scored. */
export interface OpenContent {
  /** `null`: not made yet. */
  footprint: Footprint | null;
  actionHash(make: () => string | null): string | null;
  /**
   * The reading of an earlier event with this content, under the same version of the policy; null: none is cached. To score it with
   * another past takes a sixth of the time of reading it anew.
   */
  reading(policy: CompiledPolicy): EventReading | null;
  /** The score of this content with this history; null: none is cached. Several events share it, so it must not be changed. */
  find(history: History | null): Scored | null;
  /** Caches a score that was made. `reading` gives what this thread has read of the event, as `Scorer.reading` does. */
  add(history: History | null, json: AssessmentJson, reading: () => EventReading | null): Scored;
}

export interface Scored {
  json: AssessmentJson;
  cache_hit: boolean;
  /** The past of an event with this content, history and score that claims this time. */
  past(claimed: ClaimedTime, make: (history_json: string) => PastJson): PastJson;
}

function sizeOf({ scores }: CachedContent): number {
  let bytes = BASE_BYTES;
  for (const { json } of scores) bytes += BYTES_PER_CHARACTER * json.shown.length;
  return bytes;
}

function scored(cached: CachedScore, cache_hit: boolean): Scored {
  return {
    json: cached.json,
    cache_hit,
    past({ claimed_hour, claimed_day }, make) {
      const { past } = cached;
      if (past !== null && past.claimed_hour === claimed_hour && past.claimed_day === claimed_day) return past;
      return (cached.past = { claimed_hour, claimed_day, ...make(cached.history_json) });
    },
  };
}

export function createScoreCache(rule_set_version: string): ScoreCache {
  const by_content = new LRUCache<string, CachedContent>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  // Apart from the scores, which serve for longer: a reading is useful until the past of its actions settles.
  const readings = new LRUCache<string, EventReading>({ maxSize: MAX_READ });
  const exact_names = new WeakMap<CompiledPolicy, readonly ('event_id' | 'timestamp')[]>();
  return {
    contentKey(customer_id, { event, scored_hash }, policy) {
      if (scored_hash === undefined) return null;
      let exact = exact_names.get(policy);
      if (exact === undefined) exact_names.set(policy, (exact = exactNames(policy)));
      const { hour, day_of_week } = readTime(event);
      const key = `${scored_hash} ${customer_id} ${rule_set_version} ${policy.version} ${hour} ${day_of_week}`;
      return exact.length === 0 ? key : `${key} ${JSON.stringify(exact.map((name) => event[name]))}`;
    },
    open(content_key, length = Number.POSITIVE_INFINITY) {
      const found = content_key === null ? undefined : by_content.get(content_key);
      const known: CachedContent = found ?? { footprint: null, action_hash: undefined, scores: [] };
      return {
        get footprint() {
          return known.footprint;
        },
        set footprint(made) {
          known.footprint = made;
        },
        actionHash(make) {
          if (known.action_hash === undefined) known.action_hash = make();
          return known.action_hash;
        },
        reading(policy) {
          const reading = content_key === null ? undefined : readings.get(content_key);
          reading?.setPolicy(policy);
          return reading ?? null;
        },
        find(history) {
          const found = known.scores.find((one) => isSameHistory(one.history, history));
          return found === undefined ? null : scored(found, true);
        },
        add(history, json, reading) {
          const made: CachedScore = { history, history_json: historyJson(history), json, past: null };
          if (content_key !== null) {
            const read = length <= LONGEST_READ ? reading() : null;
            // A cached reading must not keep a customer's policy in memory.
            read?.setPolicy(NO_POLICY);
            if (read !== null) readings.set(content_key, read, { size: length * read.read_count });
            json.makeLight();
            // Another event may have brought the same score meanwhile. A copy, which does not hold the past of this event.
            const others = known.scores.filter((one) => !isSameHistory(one.history, history));
            known.scores = [{ ...made }, ...others].slice(0, MAX_PASTS);
            by_content.set(content_key, known);
          }
          return scored(made, false);
        },
      };
    },
  };
}
