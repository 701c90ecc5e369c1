/**
 * Scores of events that come again with the same content, in this process. The key is made of everything that a score
 * reads: customer, policy version, version of ontology and rules, a hash of the event but for its id, its metadata and the
 * part of its timestamp that no rule reads, and the history. So nothing has to be cleared when any of them changes.
 */
import { LRUCache } from 'lru-cache';
import type { Scorable } from '../../events/submission.ts';
import type { AssessmentJson } from '../../records/assessment-json.ts';
import { historyJson } from '../../records/kept-past.ts';
import type { Past } from '../../records/record.ts';
import { isSameHistory } from '../../scoring/history/same-history.ts';
import type { ClaimedTime, Footprint } from '../../scoring/history/trace.ts';
import { readTime } from '../../scoring/read/action/time.ts';
import type { CompiledPolicy, History } from '../../scoring/types.ts';
import { type Later, whenThere } from './later.ts';
import type { ReadEvent, Scorer } from './scoring.ts';

/** Five to ten thousand scores, by an estimate of what each takes once it was asked for again. */
const MAX_BYTES = 100_000_000;
const BASE_BYTES = 5_000;
/** Of an assessment with its objects, for each character of its JSON. */
const BYTES_PER_CHARACTER = 4;
/**
 * Characters of the events that are kept as they were read. What was read and found takes eleven bytes a character, thirty for
 * a list of small numbers, and the event itself, metadata included, lives on with it.
 */
const MAX_READ = 2_000_000;
/** A larger one is read again. */
const LONGEST_READ = 8_192;
/** So many pasts of one content are kept, the newest first to be asked: few differ, and they change in one direction. */
const MAX_PASTS = 4;
/** What only a customer's condition reads, and a finding of it then shows as it stands in the event. */
const EXACT = ['event_id', 'timestamp'] as const;

function exactNames({ custom_rules }: CompiledPolicy): readonly ('event_id' | 'timestamp')[] {
  return EXACT.filter((name) => custom_rules.some(({ condition }) => condition.reads.includes(name)));
}

/** What is known of one content: what depends on nothing else, and its score for each past. */
interface Known {
  footprint: Footprint | null;
  /** `undefined`: nobody asked yet. */
  action_hash: string | null | undefined;
  /** Newest first. */
  scores: KeptScore[];
}

interface KeptScore {
  history: History | null;
  history_json: string;
  json: AssessmentJson;
  /** The last past that was made with it. */
  past: (ClaimedTime & PastJson) | null;
}

/** What is stored of an event's past, with its JSON; nobody may change it. */
export interface PastJson {
  past: Past;
  json: string;
}

export interface ScoreCache {
  /** The event's content as a key, `null` for an event whose deed has no hash. */
  contentKey(customer_id: string, scorable: Scorable, policy: CompiledPolicy): string | null;
  /** What is kept of this content; of `null` nothing is. `length`: characters of the whole event; absent, it may be large. */
  open(content_key: string | null, length?: number): KeptContent;
}

/** One content while one event with it is scored. */
export interface KeptContent {
  footprint(make: () => Later<Footprint>): Later<Footprint>;
  actionHash(make: () => string | null): string | null;
  /** An event with this content that was read before: to score it with another past takes a sixth of the time then. */
  read(): ReadEvent | null;
  /**
   * The score of this content with this history; what is not kept the scorer makes. Several events share what comes back: nobody
   * may change it.
   */
  score(history: History | null, scorer: () => Scorer): Later<Scored>;
}

export interface Scored {
  json: AssessmentJson;
  cache_hit: boolean;
  /** The past of an event with this content, history and score that claims this time. */
  past(claimed: ClaimedTime, make: (history_json: string) => PastJson): PastJson;
}

function sizeOf({ scores }: Known): number {
  let bytes = BASE_BYTES;
  for (const { json } of scores) bytes += BYTES_PER_CHARACTER * (json.kept.length + json.shown.length);
  return bytes;
}

function scored(kept: KeptScore, cache_hit: boolean): Scored {
  return {
    json: kept.json,
    cache_hit,
    past({ claimed_hour, claimed_day }, make) {
      const { past } = kept;
      if (past !== null && past.claimed_hour === claimed_hour && past.claimed_day === claimed_day) return past;
      return (kept.past = { claimed_hour, claimed_day, ...make(kept.history_json) });
    },
  };
}

export function createScoreCache(rule_set_version: string): ScoreCache {
  const by_content = new LRUCache<string, Known>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  // Apart from the scores, which serve for longer: one that was read is of use until the past of its actions settles.
  const read = new LRUCache<string, ReadEvent>({ maxSize: MAX_READ });
  const exact_names = new WeakMap<CompiledPolicy, readonly ('event_id' | 'timestamp')[]>();
  return {
    contentKey(customer_id, { event, deed_hash }, policy) {
      if (deed_hash === undefined) return null;
      let exact = exact_names.get(policy);
      if (exact === undefined) exact_names.set(policy, (exact = exactNames(policy)));
      const { hour, day_of_week } = readTime(event);
      const key = `${deed_hash} ${customer_id} ${rule_set_version} ${policy.version} ${hour} ${day_of_week}`;
      return exact.length === 0 ? key : `${key} ${JSON.stringify(exact.map((name) => event[name]))}`;
    },
    open(content_key, length = Number.POSITIVE_INFINITY) {
      const found = content_key === null ? undefined : by_content.get(content_key);
      const known: Known = found ?? { footprint: null, action_hash: undefined, scores: [] };
      return {
        footprint: (make) => known.footprint ?? whenThere(make(), (footprint) => (known.footprint = footprint)),
        actionHash(make) {
          if (known.action_hash === undefined) known.action_hash = make();
          return known.action_hash;
        },
        read: () => (content_key === null ? null : (read.get(content_key) ?? null)),
        score(history, scorer) {
          const found = known.scores.find((one) => isSameHistory(one.history, history));
          if (found !== undefined) return scored(found, true);
          const begun = scorer();
          return whenThere(begun.score(history), (json) => {
            const made: KeptScore = { history, history_json: historyJson(history), json, past: null };
            if (content_key !== null) {
              const left = length <= LONGEST_READ ? begun.leave() : null;
              if (left !== null) read.set(content_key, left, { size: length });
              // Another event may have brought the same meanwhile.
              const others = known.scores.filter((one) => !isSameHistory(one.history, history));
              known.scores = [{ ...made, json: json.asText() }, ...others].slice(0, MAX_PASTS);
              by_content.set(content_key, known);
            }
            return scored(made, false);
          });
        },
      };
    },
  };
}
