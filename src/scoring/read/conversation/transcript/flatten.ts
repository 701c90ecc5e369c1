/** Content of a message as plain text, whatever its shape; bounded in depth and number of leaves. */
import type { Json } from '../../../../lang/json.ts';

const MAX_DEPTH = 64;
/** As many values as one event may have. */
const MAX_LEAVES = 20_000;

/** Nested values as lines `key: value`, in order; a string stays as it is. */
export function flatten(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const lines: string[] = [];
  collect(value, '', 0, lines);
  return lines.join('\n');
}

function collect(value: Json, key: string, depth: number, lines: string[]): void {
  // Skip a `null` without a name: the word `null` would look like content.
  if (lines.length >= MAX_LEAVES || (value === null && key === '')) return;
  if (value === null || typeof value !== 'object') {
    lines.push(key === '' ? String(value) : `${key}: ${String(value)}`);
    return;
  }
  if (depth >= MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, key, depth + 1, lines);
    return;
  }
  for (const name of Object.keys(value)) collect(value[name]!, name, depth + 1, lines);
}
