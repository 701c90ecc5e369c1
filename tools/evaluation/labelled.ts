/** A labelled record: an event and what is known about it. Only the event may be shown to the scorer. */

import type { Json, JsonObject } from '../../src/lang/json.ts';
import { WeirError } from '../../src/platform/errors.ts';
import type { Label } from './metrics.ts';

export interface LabelledRecord {
  id: string;
  /** Where the record comes from; results are reported for each source. */
  source: string;
  /** Records of one group resemble each other and are drawn together for intervals. */
  group: string;
  label: Label;
  /** What kind of harm, or which kind of harmless action. */
  kind: string;
  /** How the label follows from the source, for a person who reads a miss. */
  label_basis: string;
  event: Json;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The event of a line that is an event or a labelled record: a record has no `action` of its own. */
export function eventOf(value: Json): Json {
  return isObject(value) && isObject(value['event']) && value['action'] === undefined ? value['event'] : value;
}

function text(record: JsonObject, field: string, absent: string): string {
  const value = record[field] ?? absent;
  if (typeof value === 'string') return value;
  throw new WeirError('invalid', { detail: `\`${field}\` of a labelled record must be a string` });
}

/** Reads one record; `line` names it where it has no id, and is then a group of its own. */
export function readLabelled(value: Json, line: number): LabelledRecord {
  if (!isObject(value) || !isObject(value['event'])) {
    throw new WeirError('invalid', { detail: 'not a labelled record: it needs `label` (0 or 1) and `event`' });
  }
  const label = value['label'];
  if (label !== 0 && label !== 1) {
    const given = label === undefined ? 'is missing' : `is \`${JSON.stringify(label)}\``;
    throw new WeirError('invalid', { detail: `\`label\` ${given}; it must be 1 (harmful) or 0 (benign)` });
  }
  const id = text(value, 'id', `line ${line}`);
  return {
    id,
    source: text(value, 'source', 'unnamed'),
    group: text(value, 'group', id),
    label,
    kind: text(value, 'label_kind', label === 1 ? 'harmful' : 'benign'),
    label_basis: text(value, 'label_basis', ''),
    event: value['event'],
  };
}
