/** A hypothetical change: its condition in plain words, and the evidence as it would have been. */

import type { AgentEvent } from '../../events/event.ts';
import { isObject, type Json, type JsonObject } from '../../lang/json.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Evidence } from '../types.ts';

/** Who can make a change come true. */
export type Decider = 'agent' | 'user' | 'policy_owner';

export interface Change {
  /** Completes «if …»: `the user confirmed exactly this action with its values`. */
  text: string;
  decided_by: Decider;
  /** Two changes of the same thing are not tried together. */
  concerns: string;
  apply: (evidence: Evidence) => Evidence;
}

/** Proposes changes of one kind for an event. */
export type Propose = (facts: Facts) => Change[];

/** Another event under the same policy and history. */
export const withEvent = (evidence: Evidence, change: (event: AgentEvent) => AgentEvent): Evidence => ({
  ...evidence,
  event: change(evidence.event),
});

/** Stands for a leaf that is left out. */
export const DROP = Symbol('drop');

/**
 * The parameters with the leaf at `path` (as `events/parameters.ts` writes it: `to[0]`, `body.account`) replaced or left out.
 * Only what lies on the way is copied. Lists keep their order and lose what is dropped.
 */
export function withLeaf(parameters: JsonObject | undefined, path: string, value: Json | typeof DROP): JsonObject {
  const changed = replaceAt(parameters ?? {}, '', path, value);
  return isObject(changed) ? changed : {};
}

function replaceAt(value: Json, at: string, path: string, by: Json | typeof DROP): Json | typeof DROP {
  if (at === path) return by;
  if (at !== '' && !(path.startsWith(`${at}.`) || path.startsWith(`${at}[`))) return value;
  if (Array.isArray(value)) {
    return value.map((one, i) => replaceAt(one, `${at}[${i}]`, path, by)).filter((one) => one !== DROP);
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]): [string, Json | typeof DROP] => [
    key,
    replaceAt(inner, at === '' ? key : `${at}.${key}`, path, by),
  ]);
  return Object.fromEntries(fields.filter((field): field is [string, Json] => field[1] !== DROP));
}

/** Another value, or none, for one parameter. */
export const withParameter = (evidence: Evidence, path: string, value: Json | typeof DROP): Evidence =>
  withEvent(evidence, (event) => ({ ...event, parameters: withLeaf(event.parameters, path, value) }));

/** The user says one thing more, after everything else. */
export const withUserMessage = (evidence: Evidence, content: string): Evidence =>
  withEvent(evidence, (event) => ({
    ...event,
    conversation_history: [...(event.conversation_history ?? []), { role: 'user', content }],
  }));
