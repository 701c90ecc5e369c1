/**
 * Rules that wait under one fact value, so that those whose numbers are out of range cost nothing: each stands under one
 * of its ranges, in the order of the limits, and the search ends at the first limit that does not hold.
 */
import { lies, type Range } from '../../lang/ranges.ts';
import { type Facts, SLOTS } from '../facts/fact-table.ts';

interface Waiting {
  when: { ranges: readonly Range[] };
  /** It waits in several places, more than one of which an event may come by. */
  is_met_twice: boolean;
}

interface Row<Rule> {
  /** Of the fact. */
  slot: number;
  /** The widest range first. */
  entries: readonly { range: Range; rule: Rule }[];
}

export interface Shelf<Rule> {
  plain: readonly Rule[];
  rows: readonly Row<Rule>[];
}

/** Most facts are 0 where there is nothing to count: a range without 0 tells, and one with it is not worth asking for. */
function mostTelling(ranges: readonly Range[]): Range | undefined {
  return ranges.find((range) => !lies(0, range));
}

export function makeShelf<Rule extends Waiting>(rules: readonly Rule[]): Shelf<Rule> {
  const plain: Rule[] = [];
  const rows = new Map<string, { range: Range; rule: Rule }[]>();
  for (const rule of rules) {
    const range = mostTelling(rule.when.ranges);
    if (range === undefined) {
      plain.push(rule);
      continue;
    }
    const key = `${range.name} ${range.is_upper}`;
    rows.set(key, [...(rows.get(key) ?? []), { range, rule }]);
  }
  return {
    plain,
    rows: [...rows.values()].map((entries) => ({
      slot: SLOTS.get(entries[0]!.range.name)!,
      entries: entries.sort((a, b) => byWidth(a.range, b.range)),
    })),
  };
}

function byWidth(a: Range, b: Range): number {
  const wider = a.is_upper ? b.limit - a.limit : a.limit - b.limit;
  return wider || Number(b.inclusive) - Number(a.inclusive);
}

/** Adds the rules whose range holds, and those that have none, to what was found. */
export function takeFrom<Rule extends Waiting>(shelf: Shelf<Rule>, facts: Facts, found: Rule[]): void {
  const { plain, rows } = shelf;
  for (let i = 0; i < plain.length; i += 1) takeOnce(plain[i]!, found);
  for (let i = 0; i < rows.length; i += 1) {
    const { slot, entries } = rows[i]!;
    const value = facts.at(slot);
    for (let at = 0; at < entries.length && lies(value, entries[at]!.range); at += 1)
      takeOnce(entries[at]!.rule, found);
  }
}

function takeOnce<Rule extends Waiting>(rule: Rule, found: Rule[]): void {
  if (!rule.is_met_twice || !found.includes(rule)) found.push(rule);
}
