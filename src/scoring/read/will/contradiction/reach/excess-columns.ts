/** Columns that identify people or are sensitive, of all rows, where the user asked for a number or for yes or no. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../../ontology/words.ts';
import { holdsAlways } from '../../../action/selection.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest, userWords } from '../../../conversation/user-words.ts';
import { matchFieldName } from '../../../words/field-names.ts';
import { globalPatternOf, matchesAny } from '../../../words/word-lists.ts';

const words = perOntology((ontology) => ({
  columns: setOf(ontology, 'column_parameters'),
  filters: setOf(ontology, 'filter_names'),
  tables: setOf(ontology, 'counted_tables'),
  aggregates: globalPatternOf(ontology, 'aggregates', 'call'),
  statement: patternOf(ontology, 'selections', 'statement'),
  quoted: globalPatternOf(ontology, 'selections', 'quoted'),
  narrows: patternOf(ontology, 'selections', 'narrows'),
}));

const MAX_LEAVES = 200;
const LONGEST_CODE = 16_384;
const LONGEST_REQUEST = 2_048;
/** From this severity on a field is sensitive by itself. */
const SENSITIVE = 3;
/** input: at most 16 KiB, of which each repeat reads one run */
const SELECT = /\bselect\b([^;]{1,1500}?)\bfrom\s{1,8}["'`[]?([\w.]{1,80})["'`\]]?([^;)"']{0,1500})/gi;

export interface Excess {
  /** The columns, sorted; none if no more is read than the answer needs. */
  columns: readonly string[];
  is_all: boolean;
}

/** Whether a word of the column's name stands in the request. */
const speaksOf = (said: string, column: string): boolean => {
  const heard = new Set((said.toLowerCase().match(/\p{L}+/gu) ?? []).map(singular));
  return !column.endsWith('*') && wordsOf(column).some((word) => word.length > 3 && heard.has(singular(word)));
};

const NONE: Excess = { columns: [], is_all: false };

const asksForNumber = perRequest(
  (said, ontology) => said !== '' && matchesAny(ontology, 'counting_phrases', said.slice(0, LONGEST_REQUEST)),
);

export function excessColumns(event: AgentEvent, ontology: Ontology, text: TextReading): Excess {
  if (!asksForNumber(text)) return NONE;
  const said = userWords(text).slice(0, LONGEST_REQUEST);
  const { leaves } = parametersOf(event);
  const found = new Set<string>();
  let isAll = false;
  for (const { name, value } of leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string') continue;
    for (const { columns, is_all } of selections(value, ontology)) {
      for (const column of columns) found.add(column);
      isAll ||= is_all && columns.length > 0;
    }
    if (words(ontology).columns.has(name)) for (const column of listed(value, ontology)) found.add(column);
  }
  // What the user speaks of is the question: the mean salary needs salaries.
  const columns = [...found].filter((column) => !speaksOf(said, column)).sort();
  if (columns.length === 0) return NONE;
  return { columns, is_all: isAll || isUnfiltered(event, ontology) };
}

/** The key of a record says nothing by itself; a number that the state gave does. */
function isSensitive(column: string, ontology: Ontology): boolean {
  const match = matchFieldName(column, ontology);
  if (match === undefined || match.severity < SENSITIVE) return false;
  return !/_id$/i.test(column) || match.subclass === 'national_id';
}

const listed = (value: string, ontology: Ontology): readonly string[] =>
  (
    value
      .replace(words(ontology).aggregates, ' ')
      .slice(0, 1_000)
      .match(/[A-Za-z_]\w{1,63}/g) ?? []
  ).filter((column) => isSensitive(column, ontology));

interface Selection {
  columns: readonly string[];
  is_all: boolean;
}

/** The outermost SELECT of each statement: what is read inside of it does not leave the database. */
function selections(code: string, ontology: Ontology): readonly Selection[] {
  const text = code.slice(0, LONGEST_CODE);
  if (!/\bselect\b/i.test(text)) return [];
  const { statement: isSql, quoted } = words(ontology);
  const statements = isSql.test(text.trimStart())
    ? [text]
    : [...text.matchAll(quoted)].map((found) => found.slice(1).find((inner) => inner !== undefined) ?? '');
  return statements.flatMap((statement) =>
    [...withoutInner(statement).matchAll(SELECT)].map((match) => selectionOf(match, ontology)),
  );
}

function selectionOf([, list = '', table = '', rest = '']: RegExpMatchArray, ontology: Ontology): Selection {
  const is_all = !words(ontology).narrows.test(rest) && !/\btop\s+\d/i.test(list);
  const isStar = /(?:^|[\s,.])\*(?:\s|,|$)/.test(list) && holdsPeople(table, ontology);
  // A group tells of many people at once.
  const columns = /\bgroup\s+by\b/i.test(rest) ? [] : listed(list, ontology);
  return { columns: isStar && is_all ? [...columns, `${table}.*`] : columns, is_all };
}

const MAX_DEPTH = 12;

/** The text without what stands in parentheses, calls of functions among it. */
function withoutInner(statement: string): string {
  let text = statement;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next = text.replace(/\([^()]*\)/g, '_');
    if (next === text) break;
    text = next;
  }
  return text;
}

function holdsPeople(table: string, ontology: Ontology): boolean {
  const { tables } = words(ontology);
  const name = wordsOf(table.slice(table.lastIndexOf('.') + 1)).map(singular);
  return tables.has(name.join('_')) || tables.has(name.at(-1) ?? '');
}

/** A list of fields beside a filter that excludes nothing, or beside none. */
function isUnfiltered(event: AgentEvent, ontology: Ontology): boolean {
  const { filters, columns } = words(ontology);
  const { entries } = parametersOf(event);
  if (!entries.some(({ name }) => columns.has(name))) return false;
  const given = entries.filter(({ name }) => filters.has(name));
  return given.every(({ value }) => holdsAlways(value, ontology));
}
