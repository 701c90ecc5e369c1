/** A number of the request or of a look-up that the action uses with another unit: 40,000 yen paid as 40,000 dollars. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../../events/parameters.ts';
import { wordsOf } from '../../../../../lang/names.ts';
import { numberOf } from '../../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { recordsOf } from '../../../conversation/transcript/records.ts';
import { userWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

export interface OtherUnit {
  /** Path of the parameter that holds the number. */
  readonly path: string;
  /** The number with its unit as it was said, and as it is used. */
  readonly said: string;
  readonly used: string;
}

const words = perOntology((ontology) => {
  const units = new Map<string, string[]>();
  for (const [unit, marks] of tableOf(ontology, 'unit_marks'))
    for (const mark of marks) units.set(mark, [...(units.get(mark) ?? []), unit]);
  return { units, fields: setOf(ontology, 'unit_field_words') };
});

/** What a number is counted in: `money_usd`. The same number in units of one measure says different things. */
type Units = readonly string[];

const MAX_LEAVES = 100;
const MAX_TEXT = 65_536;
const MAX_PASSAGES = 20;
const MAX_NUMBERS = 400;
/** A number of one digit stands with some unit in any text. */
const LEAST = 10;
const NUMBER =
  /(?<![\p{L}\d.,/-])([\p{L}$€£¥]{0,4})\s?(?<![\d.,])(\d{1,12}(?:[.,]\d{1,9}){0,4})\s?((?:[°$€£¥]\p{L}?|\p{L}{1,12})?)(?![\p{L}\d/])/gu;

/** The first number of the parameters whose unit is not the one that was said with it. */
export function otherUnit(event: AgentEvent, ontology: Ontology, text: TextReading): OtherUnit | undefined {
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const given = leaves.flatMap((leaf) => {
    const value = typeof leaf.value === 'boolean' ? Number.NaN : Number(leaf.value);
    const units = value >= LEAST ? unitsOfLeaf(leaf, leaves, ontology) : [];
    return units.length > 0 ? [{ leaf, value, units }] : [];
  });
  if (given.length === 0) return undefined;
  const [own, ...sources] = saidUnits(text, ontology);
  for (const { leaf, value, units } of given) {
    const inUnits = (said: Said): Units =>
      (said.get(value) ?? []).filter((one) => measureOf(one) === measureOf(units[0]!));
    const isSame = (others: Units): boolean => others.some((one) => units.includes(one));
    const byUser = inUnits(own!);
    if (isSame(byUser)) continue;
    const other = [byUser, ...sources.map(inUnits)].find((others) => others.length > 0 && !isSame(others));
    if (other !== undefined) return { path: leaf.path, said: spoken(value, other[0]!), used: spoken(value, units[0]!) };
  }
  return undefined;
}

const measureOf = (unit: string): string => unit.slice(0, unit.indexOf('_'));
const spoken = (value: number, unit: string): string => `${value} ${unit.slice(unit.indexOf('_') + 1)}`;

/** `dose_mg`; `amount` beside `currency`; `source_amount` beside `source_currency` rather than `target_currency`. */
function unitsOfLeaf(leaf: Leaf, leaves: readonly Leaf[], ontology: Ontology): Units {
  const { units, fields } = words(ontology);
  const of_name = wordsOf(leaf.name);
  const last = of_name.at(-1) ?? '';
  if (of_name.length > 1 && last.length > 1 && units.has(last)) return units.get(last)!;
  const place = leaf.path.slice(0, leaf.path.lastIndexOf('.') + 1);
  const beside = leaves.filter(
    (other) =>
      typeof other.value === 'string' &&
      other.path.slice(0, other.path.lastIndexOf('.') + 1) === place &&
      fields.has(wordsOf(other.name).at(-1) ?? ''),
  );
  const own = beside.filter((other) => of_name.length > 1 && wordsOf(other.name)[0] === of_name[0]);
  return (own.length > 0 ? own : beside).flatMap((other) => units.get(foldText(String(other.value)).trim()) ?? []);
}

/** Each number that is given with a unit → its units. */
type Said = Map<number, string[]>;

/** The user's own first, then those of each look-up: what one of them says takes nothing from another. */
function saidUnits(text: TextReading, ontology: Ontology): Said[] {
  const passages = [userWords(text), ...text.untrusted.slice(-MAX_PASSAGES).map((one) => one.text)];
  const by_passage = passages.map((passage) => readPassage(foldText(passage.slice(0, MAX_TEXT)), ontology));
  const by_record = recordsOf(text)
    .slice(-MAX_NUMBERS)
    .map(({ fields }) => readRecord(fields, ontology));
  return [...by_passage, ...by_record];
}

function readPassage(passage: string, ontology: Ontology): Said {
  const { units } = words(ontology);
  const found: Said = new Map();
  for (const [, before = '', digits = '', behind = ''] of passage.matchAll(NUMBER)) {
    if (found.size >= MAX_NUMBERS) break;
    const of_number = [...(units.get(before) ?? []), ...(units.get(behind) ?? [])];
    if (of_number.length > 0) keep(found, numberOf(digits), of_number);
  }
  return found;
}

/** `{ "total": 40000, "currency": "JPY" }` */
function readRecord(fields: ReadonlyMap<string, string>, ontology: Ontology): Said {
  const found: Said = new Map();
  const { units, fields: unit_fields } = words(ontology);
  const of_record = [...fields].flatMap(([name, value]) =>
    unit_fields.has(wordsOf(name).at(-1) ?? '') ? (units.get(foldText(value).trim()) ?? []) : [],
  );
  if (of_record.length === 0) return found;
  for (const value of fields.values()) {
    const number = Number(value);
    if (number >= LEAST) keep(found, number, of_record);
  }
  return found;
}

const keep = (found: Said, value: number, units: Units): void => {
  found.set(value, [...(found.get(value) ?? []), ...units]);
};
