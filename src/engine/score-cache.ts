/**
 * Scores of events that come again with the same content, in this process. The key is a hash of everything that a score
 * reads: customer, policy version, version of ontology and rules, all of the event but its id, its metadata and the part
 * of its timestamp that no rule reads, and the history. So nothing has to be cleared when any of them changes.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Footprint } from '../scoring/history/trace.ts';
import { readTime } from '../scoring/read/time.ts';
import type { AgentEvent, Assessment, CompiledPolicy, History } from '../scoring/types.ts';

/** About 10,000 assessments, by an estimate: their words are bounded, the number of findings is what differs. */
const MAX_BYTES = 64_000_000;
const BASE_BYTES = 3_000;
const FINDING_BYTES = 1_500;
const MAX_FOOTPRINTS = 10_000;
/** Events with more text than this hardly come twice, and their hash would cost as much as they do. */
const LONGEST_EVENT = 32_768;

/** What only a customer's condition reads, and a finding of it then shows as it stands in the event. */
const EXACT = ['event_id', 'timestamp'] as const;

function exactNames({ custom_rules }: CompiledPolicy): readonly ('event_id' | 'timestamp')[] {
  return EXACT.filter((name) => custom_rules.some(({ condition }) => condition.reads.includes(name)));
}

export interface ScoreCache {
  /** The event's content as a key, `null` when it is too long to be kept. */
  contentKey(customer_id: string, event: AgentEvent, policy: CompiledPolicy): string | null;
  footprint(content_key: string | null, make: () => Footprint): Footprint;
  /** The score of this content with this history; nobody may change what comes back. */
  score(content_key: string | null, history: History | null, make: () => Assessment): Scored;
}

export interface Scored {
  assessment: Assessment;
  cache_hit: boolean;
}

export function createScoreCache(rule_set_version: string): ScoreCache {
  const scores = new LRUCache<string, Assessment>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ findings }, key) => BASE_BYTES + FINDING_BYTES * findings.length + 2 * key.length,
  });
  const exact_names = new WeakMap<CompiledPolicy, readonly ('event_id' | 'timestamp')[]>();
  const footprints = new LRUCache<string, Footprint>({ max: MAX_FOOTPRINTS });
  return {
    contentKey(customer_id, event, policy) {
      const { event_id: _id, timestamp: _timestamp, metadata: _metadata, ...content } = event;
      const text = JSON.stringify(content);
      if (text.length > LONGEST_EVENT) return null;
      let exact = exact_names.get(policy);
      if (exact === undefined) exact_names.set(policy, (exact = exactNames(policy)));
      const parts = [customer_id, rule_set_version, policy.version, readTime(event), exact.map((name) => event[name])];
      // JSON tells the parts apart whatever they hold. A collision would give one event the score of another.
      return hash('sha256', `${JSON.stringify(parts)}${text}`, 'base64url');
    },
    footprint(content_key, make) {
      const known = content_key === null ? undefined : footprints.get(content_key);
      if (known !== undefined) return known;
      const made = make();
      if (content_key !== null) footprints.set(content_key, made);
      return made;
    },
    score(content_key, history, make) {
      if (content_key === null) return { assessment: make(), cache_hit: false };
      const key = history === null ? content_key : `${content_key}${JSON.stringify(history)}`;
      const known = scores.get(key);
      if (known !== undefined) return { assessment: known, cache_hit: true };
      // Several events share it: whoever wants another one has to make a copy.
      const assessment = Object.freeze(make());
      scores.set(key, assessment);
      return { assessment, cache_hit: false };
    },
  };
}
