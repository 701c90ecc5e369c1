/** One event as a door passes it on, with the hashes of its content that were made while it was read. */
import { hash } from 'node:crypto';
import type { JsonObject } from '../lang/json.ts';
import { inOrder, namesInOrder, putMember } from '../platform/json/canonical.ts';
import type { AgentEvent } from './event.ts';

export interface Submission {
  event: AgentEvent;
  /** SHA-256 of what was sent, not of what was filled in: a retry that leaves out the timestamp again is equal. */
  content_hash: string;
  /** SHA-256 of the part that scores depend on. Absent: the score of this event is not cached. */
  scored_hash?: string;
  /** Characters of that part as JSON. Absent: not counted, so it may be large. */
  scored_length?: number;
  /** JSON of `event`, where it was written already. */
  json?: string;
  /** The API key that it came with. Absent: unknown, as after it was set aside. */
  key_id?: string;
}

/** What scoring needs of a submission. */
export type Scorable = Pick<Submission, 'event' | 'scored_hash' | 'scored_length' | 'json'>;

/** Fields that no score depends on. */
const OWN: ReadonlySet<string> = new Set(['event_id', 'timestamp', 'metadata']);

export interface Content extends Pick<Required<Submission>, 'content_hash' | 'scored_hash' | 'scored_length'> {
  /** JSON of what was sent, and of what was filled in. */
  json: string;
}

/** What a door fills in where it was not sent. */
export type FilledIn = Pick<AgentEvent, 'event_id' | 'timestamp'>;

/**
 * Hashes an event. They are equal for equal JSON with its keys in any order, and do not depend on `filled_in`, which appears in
 * `json` only. `sent`: an object with at least an action.
 */
export function contentOf(sent: JsonObject | AgentEvent, filled_in?: FilledIn): Content {
  const own: JsonObject = {};
  const scored: JsonObject = {};
  for (const name of namesInOrder(sent))
    putMember(OWN.has(name) ? own : scored, name, inOrder((sent as JsonObject)[name]!));
  const own_text = JSON.stringify(own);
  const scored_text = JSON.stringify(scored);
  const scored_hash = hash('sha256', scored_text, 'base64url');
  const is_whole = filled_in === undefined || ('event_id' in own && 'timestamp' in own);
  const own_kept = is_whole ? own_text : JSON.stringify({ ...filled_in, ...own });
  return {
    content_hash: hash('sha256', scored_hash + own_text, 'hex'),
    scored_hash,
    scored_length: scored_text.length,
    json: own_kept === '{}' ? scored_text : `${own_kept.slice(0, -1)},${scored_text.slice(1)}`,
  };
}
