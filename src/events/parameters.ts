/** The leaves of an event's parameters, with their keys, walked once and within bounds. */

import type { Json } from '../lang/json.ts';
import { snakeCase } from '../lang/names.ts';
import type { AgentEvent } from './event.ts';
import { perEvent } from './working-copy.ts';

export interface Leaf {
  /** `to[0]`, `body.account`; `parameters` itself is not named. */
  path: string;
  /** The nearest key, `to` for `to[0]`. */
  key: string;
  /** The key in snake case, `to_address` for `toAddress`: several readings look it up. */
  name: string;
  value: string | number | boolean;
  /** It stands in a list, and not under a key of its own. */
  is_element: boolean;
}

/** The path of the object or list that holds a leaf: `body` for `body.account`, '' at the top. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

export interface ParameterWalk {
  leaves: Leaf[];
  /** Every key with the value that stands under it, containers included. */
  entries: { path: string; key: string; name: string; value: Json }[];
  /** Length of the longest array anywhere, -1 when there is none. */
  longest_array: number;
}

/** Far beyond real calls; more is not read. The door bounds the body to 1 MiB and the depth to 64. */
const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 64;

function walk(
  value: Json,
  path: string,
  key: string,
  name: string,
  is_element: boolean,
  depth: number,
  into: ParameterWalk,
): void {
  if (value === null || depth > MAX_DEPTH || into.leaves.length + into.entries.length > MAX_ENTRIES) return;
  if (Array.isArray(value)) {
    into.longest_array = Math.max(into.longest_array, value.length);
    for (let i = 0; i < value.length; i += 1) walk(value[i]!, `${path}[${i}]`, key, name, true, depth + 1, into);
  } else if (typeof value === 'object') {
    for (const inner of Object.keys(value)) {
      const at = path === '' ? inner : `${path}.${inner}`;
      const inner_name = snakeCase(inner);
      into.entries.push({ path: at, key: inner, name: inner_name, value: value[inner]! });
      walk(value[inner]!, at, inner, inner_name, false, depth + 1, into);
    }
  } else into.leaves.push({ path, key, name, value, is_element });
}

/** The parameters of an event, walked once for all of its readings. */
export const parametersOf: (event: AgentEvent) => ParameterWalk = perEvent((event) => walkOf(event.parameters ?? null));

/** The same of any value, such as parameters that stood as JSON in a text. */
export function walkOf(value: Json): ParameterWalk {
  const result: ParameterWalk = { leaves: [], entries: [], longest_array: -1 };
  walk(value, '', '', '', false, 0, result);
  return result;
}
