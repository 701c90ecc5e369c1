/**
 * What each rule was worth on labelled actions: how often it fired on harmful and on benign records of each source. The
 * figures are measured by `tools/pages/measure-rules.ts` and kept in `docs/rules/measured.json`.
 */
import type { Label } from './metrics.ts';
import type { Counts, RuleRow } from './rule-counts.ts';

export interface Measured {
  /** Rule set that was measured. */
  rule_set_version: string;
  /** Files that were read. */
  files: string[];
  /** source → how many records of either label there are */
  sources: Record<string, Counts>;
  /** rule → source → on how many of these it fired; sources where it never did are left out */
  rules: Record<string, Record<string, Counts>>;
}

/** One rule on one source, or on all of them. */
export interface Figure {
  source: string;
  fired: Counts;
  records: Counts;
  /** Share of harmful records among those it fired on, `null` when it never fired. */
  precision: number | null;
}

/** Adds up what was measured on several files. */
export function measuredOf(
  rule_set_version: string,
  parts: readonly { file: string; judged: readonly { source: string; label: Label }[]; rows: readonly RuleRow[] }[],
): Measured {
  const sources: Record<string, Counts> = {};
  const rules: Record<string, Record<string, Counts>> = {};
  for (const { judged, rows } of parts) {
    for (const { source, label } of judged)
      add((sources[source] ??= none()), label === 1 ? { harmful: 1, benign: 0 } : { harmful: 0, benign: 1 });
    for (const { rule, by_source } of rows) {
      const own = (rules[rule] ??= {});
      for (const [source, fired] of Object.entries(by_source)) add((own[source] ??= none()), fired);
    }
  }
  return {
    rule_set_version,
    files: parts.map(({ file }) => file),
    sources: sorted(sources),
    rules: sortedRules(rules),
  };
}

/** All sources together first, then each source where the rule fired; `null` when the rule was not there yet. */
export function figuresOf(rule: string, { sources, rules }: Measured): Figure[] | null {
  const own = rules[rule];
  if (own === undefined) return null;
  const all: Figure = { source: 'all', fired: none(), records: none(), precision: null };
  for (const counts of Object.values(sources)) add(all.records, counts);
  const each = Object.entries(own).map(([source, fired]): Figure => {
    add(all.fired, fired);
    return { source, fired, records: sources[source] ?? none(), precision: precisionOf(fired) };
  });
  return [{ ...all, precision: precisionOf(all.fired) }, ...each];
}

const none = (): Counts => ({ harmful: 0, benign: 0 });

function add(to: Counts, more: Counts): void {
  to.harmful += more.harmful;
  to.benign += more.benign;
}

function precisionOf({ harmful, benign }: Counts): number | null {
  return harmful + benign === 0 ? null : harmful / (harmful + benign);
}

/** By name, so that the file does not change with the order of the data. */
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

const sortedRules = (rules: Measured['rules']): Measured['rules'] =>
  sorted(Object.fromEntries(Object.entries(rules).map(([rule, own]) => [rule, sorted(own)])));

/** `3.2 %`; a tenth of a percent is what these samples can bear. */
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Cells of a table: source, harmful records it fired on, benign ones, precision. */
export function figureCells({ source, fired, records, precision }: Figure): string[] {
  const cell = (label: keyof Counts): string =>
    records[label] === 0 ? '–' : `${fired[label]} of ${records[label]} (${percent(fired[label] / records[label])})`;
  return [source, cell('harmful'), cell('benign'), precision === null ? '–' : percent(precision)];
}

export const FIGURE_HEAD: readonly string[] = ['source', 'fired on harmful', 'fired on benign', 'precision'];

/** A precision rests on at least so many records, and differs when it falls by more than this. */
const LEAST_FIRINGS = 5;
const MOST_FALL = 0.2;

/** The sources on which a rule is most and least often right; `null` where its precision is about the same everywhere. */
export function precisionFall(figures: readonly Figure[]): { best: Figure; worst: Figure } | null {
  const known = figures
    .filter(({ source, fired }) => source !== 'all' && fired.harmful + fired.benign >= LEAST_FIRINGS)
    .toSorted((a, b) => b.precision! - a.precision!);
  const [best, worst] = [known[0], known.at(-1)];
  if (best === undefined || worst === undefined || best.precision! - worst.precision! <= MOST_FALL) return null;
  return { best, worst };
}

/** One sentence about that; '' where there is nothing to say. */
export function fallText(figures: readonly Figure[]): string {
  const fall = precisionFall(figures);
  if (fall === null) return '';
  const { best, worst } = fall;
  return `Its precision differs by source: ${percent(best.precision!)} on ${best.source}, ${percent(worst.precision!)} on ${worst.source}.`;
}
