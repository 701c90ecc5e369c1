/**
 * Identifies what exactly is approved: the SHA-256 of what an event does, without its context. The hashed text is JSON
 * in the canonical form of RFC 8785, so that a program in any language can compute it.
 */

import type { AgentEvent } from '../events/event.ts';
import type { Json, JsonObject } from '../lang/json.ts';
import { sha256 } from '../platform/ids.ts';
import { canonicalJson } from '../platform/json/canonical.ts';
import { escapeValue } from '../platform/json/odd-characters.ts';

/** The parts of an event that define its action. */
export type HashedAction = Pick<AgentEvent, 'action' | 'target' | 'parameters'>;

/**
 * Hex of the SHA-256 of `{"action":…,"parameters":…,"target":…}`, with `null` for an absent part. The action is lower
 * case and odd characters are escaped, as in the stored event. Returns `null` when the parts are not JSON that can be
 * stored.
 */
export function actionHash({ action, target, parameters }: HashedAction): string | null {
  const parts = { action: action.toLowerCase(), parameters: parameters ?? null, target: target ?? null };
  const text = canonicalJson(parts as unknown as JsonObject);
  if (!IS_RARE.test(text)) return sha256(text);
  const stored = escapeValue(parts as unknown as JsonObject);
  return stored === undefined ? null : sha256(canonical(stored));
}

/**
 * Where the ordered text may differ from the canonical one: an integer-like key, which objects put first, or an odd
 * character. Where a string only resembles one, the slow path gives the same result.
 */
const IS_RARE = /"\d+":|\\u(?:0000|d[89a-f])/;

/** RFC 8785: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(',')}}`;
}
