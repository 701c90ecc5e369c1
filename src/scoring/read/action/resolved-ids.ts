/**
 * What earlier results call the things whose ids the action uses: `{"device_id": "c5b", "device_name": "Smoke alarm"}`
 * in a result tells what switching off `c5b` does.
 */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { snakeCase } from '../../../lang/names.ts';
import type { TextReading } from '../conversation/text.ts';

const MAX_IDS = 16;
const MAX_PLACES = 4;
/** A flat record around an id is not longer. */
const MAX_RECORD = 2_048;
const PAIR = /["']([A-Za-z_]{2,40})["']\s{0,4}:\s{0,4}["']([^"'\n]{1,64})["']/g;

/** Values that could be the id of a thing: one word, under a key that ends with `id` or `ids`. */
function usedIds(event: AgentEvent): string[] {
  const ids = new Set<string>();
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value === 'boolean' || !/(?:^|_)ids?$/.test(name)) continue;
    const id = String(value);
    if (id.length >= 3 && id.length <= 64 && !/\s/.test(id)) ids.add(id);
  }
  const all = [...ids];
  return all.length <= MAX_IDS ? all : [...all.slice(0, MAX_IDS / 2), ...all.slice(-MAX_IDS / 2)];
}

/** The innermost `{…}` around a place, '' when it is not a small record. */
function recordAround(text: string, at: number): string {
  const from = text.lastIndexOf('{', at);
  const to = text.indexOf('}', at);
  return from < 0 || to < 0 || to - from > MAX_RECORD ? '' : text.slice(from, to + 1);
}

/** Values of the describing fields of the records that hold a used id. */
export function recordLabels(event: AgentEvent, text: TextReading, isLabelKey: (name: string) => boolean): string[] {
  const labels = new Set<string>();
  for (const id of usedIds(event)) {
    for (const { text: result } of text.untrusted) {
      let at = result.indexOf(id);
      for (let n = 0; at >= 0 && n < MAX_PLACES; n++, at = result.indexOf(id, at + id.length)) {
        for (const [, key = '', value = ''] of recordAround(result, at).matchAll(PAIR))
          if (isLabelKey(snakeCase(key))) labels.add(value);
      }
    }
  }
  return [...labels];
}
