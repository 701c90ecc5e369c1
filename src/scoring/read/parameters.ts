/** The leaves of an event's parameters, with their keys, walked once and within bounds. */
import type { AgentEvent, Json } from '../types.ts';

export interface Leaf {
  /** `to[0]`, `body.account`; `parameters` itself is not named. */
  path: string;
  /** The nearest key, `to` for `to[0]`. */
  key: string;
  value: string | number | boolean;
}

export interface ParameterWalk {
  leaves: Leaf[];
  /** Every key with the value that stands under it, containers included. */
  entries: { path: string; key: string; value: Json }[];
  /** Length of the longest array anywhere, -1 when there is none. */
  longest_array: number;
}

/** Far beyond real calls; more is not read. The door bounds the body to 1 MiB and the depth to 64. */
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 64;

const walks = new WeakMap<AgentEvent, ParameterWalk>();

function walk(value: Json, path: string, key: string, depth: number, into: ParameterWalk): void {
  if (value === null || depth > MAX_DEPTH || into.leaves.length + into.entries.length > MAX_ENTRIES) return;
  if (Array.isArray(value)) {
    into.longest_array = Math.max(into.longest_array, value.length);
    for (const [i, element] of value.entries()) walk(element, `${path}[${i}]`, key, depth + 1, into);
  } else if (typeof value === 'object') {
    for (const inner of Object.keys(value)) {
      const at = path === '' ? inner : `${path}.${inner}`;
      into.entries.push({ path: at, key: inner, value: value[inner]! });
      walk(value[inner]!, at, inner, depth + 1, into);
    }
  } else into.leaves.push({ path, key, value });
}

/** Walked once per event: several readings need the same leaves. An event is not changed after it was accepted. */
export function parametersOf(event: AgentEvent): ParameterWalk {
  const known = walks.get(event);
  if (known !== undefined) return known;
  const result: ParameterWalk = { leaves: [], entries: [], longest_array: -1 };
  if (event.parameters !== undefined) walk(event.parameters, '', '', 0, result);
  walks.set(event, result);
  return result;
}
