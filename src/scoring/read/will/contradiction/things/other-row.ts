/**
 * Another row of a look-up than the one that the user tells: «Petrov, room 214, MRN 500182; Petrova, room 241, MRN 500271», where the user
 * says «room 214» and the action takes 500271. Rows are lines, or what stands between `;` and `|`; records in JSON are read elsewhere.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import { perPassage } from '../../../conversation/kept-passages.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import { GROUP_MASK, STOPWORD } from '../../../words/grammar/grammar.ts';
import { hashWord } from '../../../words/lexer.ts';
import { vocabularyOf } from '../../../words/vocabulary.ts';
import { isUnit } from '../values/quantities.ts';

const words = perOntology((ontology) => ({
  all: setOf(ontology, 'quantifier_words'),
  clocks: setOf(ontology, 'clock_words'),
}));

const MAX_PASSAGES = 4;
const MAX_PASSAGE = 8_192;
const MAX_ROWS = 64;
const LONGEST_ROW = 400;
const MAX_REQUEST = 4_096;
const MAX_LEAVES = 60;
const LONGEST_VALUE = 120;
const SHORTEST_ID = 3;
const SHORTEST_WORD = 4;
/** Shorter words say nothing of the kind of a row. */
const SHORTEST_LABEL = 2;
/** Of an id behind a sign: no other one has the same label. */
const NO_LABEL = '?';

interface Row {
  /** Id → the word before it, '' at the front of the row. */
  ids: ReadonlyMap<string, string>;
  words: ReadonlySet<string>;
}

export interface OtherRow {
  /** Id of the row that the action takes; '' if it takes none, or the one that is meant. */
  used: string;
  /** What the user says and only another row holds. */
  meant: string;
}

const NONE: OtherRow = { used: '', meant: '' };
/** A word with a digit or a sign inside, or a number of three digits and more. */
const TOKEN = /[\p{L}\p{N}]+(?:[._@/-]+[\p{L}\p{N}]+){0,64}/gu;
const SIGN_OF_ID = /[._@-]/;
const mayBeId = (word: string): boolean => SIGN_OF_ID.test(word) || (word.length >= 3 && /\d/.test(word));
/** Dates, times, numbers with decimals, and numbers that count. */
const NO_ID = /^(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|\d+[.,]\d+|\d{1,2})$/u;
const MEASURE = /^\d+(\p{L}{1,12})$/u;

export function otherRow(event: AgentEvent, ontology: Ontology, text: TextReading): OtherRow {
  if (text.untrusted.length === 0 || !text.has_request) return NONE;
  const said = foldedUserWords(text).slice(0, MAX_REQUEST);
  const of_user = new Set(tokensIn(said));
  if ([...of_user].some((word) => words(ontology).all.has(word))) return NONE;
  const taken = takenIds(event, ontology).filter((id) => !of_user.has(id));
  if (taken.length === 0) return NONE;
  for (const passage of text.untrusted.slice(-MAX_PASSAGES).toReversed()) {
    const rows = rowsOf(passage, ontology);
    if (rows.length < 2) continue;
    const found = mistakenIn(rows, taken, of_user, ontology);
    if (found !== undefined) return found;
  }
  return NONE;
}

const tokensIn = (text: string): string[] => [...text.matchAll(TOKEN)].map(([token]) => token);

function isId(token: string, ontology: Ontology): boolean {
  if (token.length < SHORTEST_ID || !mayBeId(token) || NO_ID.test(token)) return false;
  const unit = MEASURE.exec(token)?.[1];
  return unit === undefined || !(isUnit(unit, ontology) || words(ontology).clocks.has(unit));
}

function takenIds(event: AgentEvent, ontology: Ontology): string[] {
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ value }) => typeof value !== 'boolean' && String(value).length <= LONGEST_VALUE)
    .flatMap(({ value }) => tokensIn(foldText(String(value))))
    .filter((token) => isId(token, ontology));
}

const rowsOf = perPassage((passage, ontology): readonly Row[] => {
  const said = passage.slice(0, MAX_PASSAGE).trim();
  if (/^[[{]/.test(said)) return [];
  return said
    .split(/[\n;|]/)
    .slice(0, MAX_ROWS)
    .map((line) => foldText(line).trim())
    .filter((line) => line !== '' && line.length <= LONGEST_ROW)
    .map((line, index) => rowOf(line, index, ontology));
});

/** Only the first line may have a heading before its row: elsewhere what precedes a colon is the name of a field. */
function rowOf(line: string, index: number, ontology: Ontology): Row {
  const ids = new Map<string, string>();
  const held = new Set<string>();
  let before = '';
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [token] = match;
    const isFront = end === 0 || (index === 0 && line.slice(end, match.index).includes(':'));
    if (isId(token, ontology)) ids.set(token, isFront ? '' : before || NO_LABEL);
    else if (token.length >= SHORTEST_LABEL) held.add(token);
    before = token;
    end = match.index + token.length;
  }
  return { ids, words: held };
}

/** The row of the action's id, where the user's words hold what only another row of its kind has. */
function mistakenIn(
  rows: readonly Row[],
  taken: readonly string[],
  of_user: ReadonlySet<string>,
  ontology: Ontology,
): OtherRow | undefined {
  const used = rows.filter((row) => taken.some((id) => row.ids.has(id)));
  // An id that several rows hold, or ids of several rows, choose none.
  if (used.length !== 1) return undefined;
  const [row] = used as [Row];
  const id = taken.find((one) => row.ids.has(one))!;
  const label = row.ids.get(id)!;
  const isKin = (other: Row): boolean =>
    other !== row &&
    [...other.ids].some(([known, name]) => known !== id && name === label) &&
    [...other.words].some((word) => row.words.has(word) && isNoun(word, ontology));
  const kin = rows.filter(isKin);
  if (kin.length === 0) return undefined;
  const all = [row, ...kin];
  const tells = (of: (row: Row) => Iterable<string>): { word: string; row: Row }[] => {
    const held = new Map<string, Row[]>();
    for (const one of all) for (const word of of(one)) held.set(word, [...(held.get(word) ?? []), one]);
    return [...held].flatMap(([word, where]) =>
      where.length === 1 && of_user.has(word) ? [{ word, row: where[0]! }] : [],
    );
  };
  const byId = tells((one) => one.ids.keys());
  const telling =
    byId.length > 0
      ? byId
      : tells((one) => one.words).filter(({ word }) => word.length >= SHORTEST_WORD && isNoun(word, ontology));
  if (telling.length === 0 || telling.some((one) => one.row === row)) return undefined;
  return { used: id, meant: telling[0]!.word };
}

function isNoun(word: string, ontology: Ontology): boolean {
  return (vocabularyOf(ontology).words.kinds(hashWord(word)) & (STOPWORD | GROUP_MASK)) === 0;
}
