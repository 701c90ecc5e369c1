/** One event as a door hands it on, with what was found out about its content while it was read. */
import { hash } from 'node:crypto';
import type { JsonObject } from '../lang/json.ts';
import { sha256 } from '../platform/ids.ts';
import { inOrder, namesInOrder, putMember } from '../platform/json/canonical.ts';
import type { AgentEvent } from './event.ts';

export interface Submission {
  event: AgentEvent;
  /** SHA-256 of what was sent, not of what was filled in: a retry that leaves out the timestamp again is equal. */
  content_hash: string;
  /** SHA-256 of the part of it that says what was done. Absent: scores of this event are not served again. */
  deed_hash?: string;
  /** Characters of that part as JSON. Absent: nobody counted, it may be large. */
  deed_length?: number;
  /** JSON of `event`, where it was made anyway. */
  json?: string;
}

/** What a score is made of. */
export type Scorable = Pick<Submission, 'event' | 'deed_hash' | 'deed_length' | 'json'>;

/** What tells two events of the same deed apart. */
const OWN: ReadonlySet<string> = new Set(['event_id', 'timestamp', 'metadata']);

export interface Content extends Pick<Required<Submission>, 'content_hash' | 'deed_hash' | 'deed_length'> {
  /** What was sent as JSON, and what was filled in. */
  json: string;
}

/** What a door fills in where it was not sent. */
export type FilledIn = Pick<AgentEvent, 'event_id' | 'timestamp'>;

/**
 * Equal for equal JSON, whatever the order of its keys. `sent`: an object with at least an action. What is filled in is in
 * the JSON alone.
 */
export function contentOf(sent: JsonObject | AgentEvent, filled_in?: FilledIn): Content {
  const own: JsonObject = {};
  const deed: JsonObject = {};
  for (const name of namesInOrder(sent))
    putMember(OWN.has(name) ? own : deed, name, inOrder((sent as JsonObject)[name]!));
  const own_text = JSON.stringify(own);
  const deed_text = JSON.stringify(deed);
  const deed_hash = hash('sha256', deed_text, 'base64url');
  const is_whole = filled_in === undefined || ('event_id' in own && 'timestamp' in own);
  const own_kept = is_whole ? own_text : JSON.stringify({ ...filled_in, ...own });
  return {
    content_hash: sha256(deed_hash + own_text),
    deed_hash,
    deed_length: deed_text.length,
    json: own_kept === '{}' ? deed_text : `${own_kept.slice(0, -1)},${deed_text.slice(1)}`,
  };
}
