/** Rows of an action that pair what a look-up keeps in different records: each payslip goes to the next person of the list. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { TextReading } from '../../conversation/text.ts';
import { recordsOf } from '../../conversation/transcript/records.ts';

/** Field of a row → its value. */
type Row = ReadonlyMap<string, string>;

const MAX_LEAVES = 240;
const MAX_FIELDS = 4;
const MAX_RECORDS = 400;
const MAX_TEXT = 65_536;
const MAX_PASSAGES = 10;
/** A shorter value, or one without a sign of an address, a file or a number, stands in many records. */
const SHORTEST = 5;
const TELLING = /[\d@._-]/;
const ROW_FIELD = /^(.{0,120}\[\d{1,4}\])\.([^.[\]]{1,48})$/;

/** Two values of one row that belong to different records, as `a with b`; '' where rows and records agree. */
export function mixedPair(event: AgentEvent, text: TextReading): string {
  const rows = rowsOf(event);
  if (rows.length < 2 || text.untrusted.length === 0) return '';
  const by_record = recordsOf(text)
    .slice(-MAX_RECORDS)
    .map(({ fields }) => [...fields.values()].join('\n'));
  // Each look-up by itself: what one says takes nothing from another.
  for (const lines of linesOf(text)) {
    const mixed = mixedIn(rows, lines);
    if (mixed !== '') return mixed;
  }
  return mixedIn(rows, by_record);
}

function rowsOf(event: AgentEvent): Row[] {
  const rows = new Map<string, Map<string, string>>();
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    const [, row = '', field = ''] = path.length <= 200 ? (ROW_FIELD.exec(path) ?? []) : [];
    if (row === '' || typeof value !== 'string' || value.length < SHORTEST || !TELLING.test(value)) continue;
    const fields = rows.get(row) ?? new Map<string, string>();
    if (fields.size < MAX_FIELDS) fields.set(field, value);
    rows.set(row, fields);
  }
  return [...rows.values()].filter(({ size }) => size > 1);
}

const linesOf = ({ untrusted }: TextReading): string[][] =>
  untrusted.slice(-MAX_PASSAGES).map(({ text }) => text.slice(0, MAX_TEXT).split('\n').slice(-MAX_RECORDS));

function mixedIn(rows: readonly Row[], records: readonly string[]): string {
  const places = new Map<string, number>();
  const placeOf = (value: string): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const at = onlyPlace(value, records);
    places.set(value, at);
    return at;
  };
  for (const row of rows)
    for (const [field, value] of row)
      for (const [other_field, other] of row) {
        if (field === other_field) continue;
        const [own, others] = [placeOf(value), placeOf(other)];
        if (own < 0 || others < 0 || own === others) continue;
        // The other record is that of another row, and the column holds no one of these people again.
        const isOfOtherRow = rows.some((one) => one !== row && placeOf(one.get(field) ?? '') === others);
        if (isOfOtherRow && !rows.some((one) => one.get(field) === other)) return `${value} with ${other}`;
      }
  return '';
}

/** The one record that holds the value; -1 where none or several do. */
function onlyPlace(value: string, records: readonly string[]): number {
  if (value === '') return -1;
  let at = -1;
  for (const [i, record] of records.entries()) {
    if (!record.includes(value)) continue;
    if (at >= 0) return -1;
    at = i;
  }
  return at;
}
