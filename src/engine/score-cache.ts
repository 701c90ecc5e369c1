/**
 * Scores of events that come again with the same content, in this process. The key is made of everything that a score
 * reads: customer, policy version, version of ontology and rules, a hash of the event but for its id, its metadata and the
 * part of its timestamp that no rule reads, and the history. So nothing has to be cleared when any of them changes.
 */
import { LRUCache } from 'lru-cache';
import { AssessmentJson } from '../scoring/assessment-json.ts';
import type { Footprint } from '../scoring/history/trace.ts';
import { readTime } from '../scoring/read/time.ts';
import type { Assessment, CompiledPolicy } from '../scoring/types.ts';
import type { Scorable } from './submission.ts';

/** About 10,000 assessments with their JSON, by an estimate: their words are bounded, the number of findings is what differs. */
const MAX_BYTES = 100_000_000;
const BASE_BYTES = 5_000;
const FINDING_BYTES = 2_500;
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
  /** Newest first; the history as JSON, always made in the same order. */
  scores: { history: string; json: AssessmentJson }[];
}

export interface ScoreCache {
  /** The event's content as a key, `null` for an event whose deed has no hash. */
  contentKey(customer_id: string, scorable: Scorable, policy: CompiledPolicy): string | null;
  /** What is kept of this content; of `null` nothing is. */
  open(content_key: string | null): KeptContent;
}

/** One content while one event with it is scored. */
export interface KeptContent {
  footprint(make: () => Footprint): Footprint;
  actionHash(make: () => string | null): string | null;
  /** The score of this content with this history, given as JSON; nobody may change what comes back. */
  score(history: string, make: () => Assessment): Scored;
}

export interface Scored {
  json: AssessmentJson;
  cache_hit: boolean;
}

function sizeOf({ scores }: Known): number {
  let bytes = BASE_BYTES;
  for (const { json } of scores) bytes += BASE_BYTES + FINDING_BYTES * json.assessment.findings.length;
  return bytes;
}

export function createScoreCache(rule_set_version: string): ScoreCache {
  const by_content = new LRUCache<string, Known>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });
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
    open(content_key) {
      const found = content_key === null ? undefined : by_content.get(content_key);
      const known: Known = found ?? { footprint: null, action_hash: undefined, scores: [] };
      return {
        footprint: (make) => (known.footprint ??= make()),
        actionHash(make) {
          if (known.action_hash === undefined) known.action_hash = make();
          return known.action_hash;
        },
        score(history, make) {
          const kept = known.scores.find((one) => one.history === history);
          if (kept !== undefined) return { json: kept.json, cache_hit: true };
          // Several events share it: whoever wants another one has to make a copy.
          const json = new AssessmentJson(Object.freeze(make()));
          known.scores = [{ history, json }, ...known.scores].slice(0, MAX_PASTS);
          if (content_key !== null) by_content.set(content_key, known);
          return { json, cache_hit: false };
        },
      };
    },
  };
}
