/** Tables in text: values parted by commas, tabs or bars, columns under a heading, as databases and command lines print them. */
import { snakeCase } from '../../../../lang/names.ts';

type Fields = Map<string, string>;

const MAX_LINES = 2_000;
const MAX_COLUMNS = 64;
/** The name of a column: few words that begin with a letter. */
const HEADING = /^[\p{L}_#][\p{L}\p{N}_#.()/%-]{0,39}(?: [\p{L}\p{N}_#.()/%-]{1,24}){0,2}$/u;
/** A line under a heading or around a table: `---+---`, `|:--|--:|`, `=====`. */
const RULE = /^[\s|+:=─┌┐└┘├┤┬┴┼-]{3,}$/;
/** What a client says below a table: `(3 rows)`, `2 rows in set (0.00 sec)`. */
const COUNT = /^\(?\d{1,9} rows?\b[^|\t]{0,40}$/;
/** Two blanks and more part the columns of a listing: one would be a blank inside a value. */
const GAP = /\s{2,}/;
/** Of two columns, two rows at least: one line of each is prose with a comma. */
const LEAST_CELLS = 6;
const LEAST_ROWS = 2;

/** The rows of a text that is one table throughout, by the names of its columns; empty where it is none. */
export function tableRecords(text: string): Fields[] {
  const lines = text.split('\n', MAX_LINES + 1);
  if (lines.length > MAX_LINES) lines.length = MAX_LINES;
  const rows = lines.map((line) => line.trim()).filter((line) => line !== '' && !RULE.test(line));
  if (rows.length > 2 && COUNT.test(rows.at(-1)!)) rows.pop();
  const [first, second] = rows;
  if (first === undefined || second === undefined) return [];
  for (const split of [byBars, byTabs, byCommas, bySemicolons, byGaps]) {
    const found = recordsBy(split, rows);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The rows below the first heading that has some, in a text with other lines: those that have as many cells as it. Only signs that
 * part nothing but cells are looked for, and commas where three columns and more agree.
 */
export function rowsAmongLines(text: string): { records: Fields[]; others: string[] } {
  const lines = text.split('\n', MAX_LINES).map((line) => line.trim());
  for (const [split, least] of [
    [byBars, 2],
    [byTabs, 2],
    [byCommas, 3],
    [bySemicolons, 3],
    [byGaps, 3],
  ] as const) {
    const cells = lines.map((line) => (line === '' || RULE.test(line) ? [] : split(line)));
    const left = new Map<number, number>();
    for (const row of cells) left.set(row.length, (left.get(row.length) ?? 0) + 1);
    const at = cells.findIndex((names) => {
      const below = left.get(names.length)! - 1;
      left.set(names.length, below);
      return below >= LEAST_ROWS && isHeading(names, least);
    });
    if (at < 0) continue;
    const names = cells[at]!;
    const isRow = (row: readonly string[], i: number): boolean => i > at && row.length === names.length;
    const records = recordsUnder(names, cells.filter(isRow));
    return { records, others: lines.filter((line, i) => line !== '' && i !== at && !isRow(cells[i]!, i)) };
  }
  return { records: [], others: [] };
}

function isHeading(names: readonly string[], least: number): boolean {
  if (names.length < least || names.length > MAX_COLUMNS || !names.every((name) => HEADING.test(name))) return false;
  const keys = new Set(names.map(snakeCase));
  return keys.size === names.length && !keys.has('');
}

type Split = (line: string) => readonly string[];

const byBars: Split = (line) => {
  const cells = line.split(/[|│]/).map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '' && /[|│]$/.test(line)) cells.pop();
  return cells;
};
const byTabs: Split = (line) => line.split('\t').map((cell) => cell.trim());
const byGaps: Split = (line) => line.split(GAP);
const byCommas: Split = (line) => quotedCells(line, ',');
const bySemicolons: Split = (line) => quotedCells(line, ';');

/** The cells of a line in which a cell with the sign in it stands in quotes (RFC 4180). */
function quotedCells(line: string, sign: string): string[] {
  if (!line.includes('"')) return line.split(sign).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const one = line[at]!;
    if (one === '"') {
      if (isQuoted && line[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (one === sign && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += one;
  }
  cells.push(cell.trim());
  return cells;
}

function recordsBy(split: Split, [heading = '', ...rows]: readonly string[]): Fields[] {
  const names = split(heading);
  if (!isHeading(names, 2) || names.length * (rows.length + 1) < LEAST_CELLS) return [];
  const cells: (readonly string[])[] = [];
  for (const row of rows) {
    const own = split(row);
    if (own.length !== names.length) return [];
    cells.push(own);
  }
  return recordsUnder(names, cells);
}

function recordsUnder(names: readonly string[], rows: readonly (readonly string[])[]): Fields[] {
  const keys = names.map(snakeCase);
  return rows.map((row) => new Map(keys.map((key, i) => [key, row[i]!])));
}
