/** Patterns of the ontology's own files: compiled once, refused when a text could make them slow. */

import type { Row } from './row.ts';
import type { PatternExamples } from './terms.ts';

/** Longest repetition of one piece; more never helps to recognise a value. */
const MAX_REPEATS = 4096;

/** Matches nothing. */
const NEVER = '(?!)';

/**
 * What makes a pattern unfit, '' when it is fine. Refused are repetitions without an upper bound (a failing match would
 * run to the end of the text again from each start: quadratic, or worse when nested) and references to groups.
 */
export function patternProblem(source: string): string {
  let in_class = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === '\\') {
      const next = source[at + 1] ?? '';
      if (!in_class && /[1-9k]/.test(next)) return 'refers back to a group; spell the alternatives out';
      at += /^[upP]\{/.test(source.slice(at + 1, at + 3)) ? source.slice(at).indexOf('}') : 1;
    } else if (in_class) {
      in_class = character !== ']';
    } else if (character === '[') {
      in_class = true;
    } else if (character === '*' || character === '+') {
      return `repeats without an upper bound at \`${source.slice(Math.max(0, at - 12), at + 1)}\`; write {0,n} or {1,n}`;
    } else if (character === '{') {
      const problem = boundsProblem(source.slice(at));
      if (problem !== '') return problem;
    }
  }
  return '';
}

function boundsProblem(rest: string): string {
  const bounds = /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(rest);
  if (bounds === null) return '';
  if (bounds[2] === ',' && bounds[3] === '') return `repeats without an upper bound at \`${bounds[0]}\`; write {m,n}`;
  if (Number(bounds[3] || bounds[1]) > MAX_REPEATS) return `repeats up to \`${bounds[0]}\`; at most ${MAX_REPEATS}`;
  return '';
}

/** Stands in a pattern for any one of the row's `words` and `forms`. */
const WORDS = '{words}';

/** The source of a group that matches any one of the words, taken literally; the first that fits counts. */
export function alternatives(words: readonly string[]): string {
  return `(?:${words.map(escapePattern).join('|')})`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * The source of the row's pattern. `{words}` in it stands for one of the row's `words`, taken literally, or of its
 * `forms`, which are patterns themselves; the words come first.
 */
function wordsInSource(row: Row, field: string): string {
  const source = row.text(field);
  const words = row.textsOr('words', []);
  const forms = row.textsOr('forms', []);
  const pieces = [...words.map(escapePattern), ...forms];
  if (source.includes(WORDS) !== pieces.length > 0)
    row.problems.add(row.where, `write \`${WORDS}\` in the pattern where its \`words\` and \`forms\` shall stand`);
  return pieces.length === 0 ? source : source.replaceAll(WORDS, () => `(?:${pieces.join('|')})`);
}

/**
 * The row's `pattern` with its `words`, `forms` and `flags`, and the flags in `more`; what does not compile is a problem
 * and matches nothing.
 */
export function readPattern(row: Row, more: 'g' | ''): RegExp {
  return readSource(row, 'pattern', more);
}

/** The same of a pattern in another field of the row. */
export function readSource(row: Row, field: string, more: 'g' | ''): RegExp {
  const source = wordsInSource(row, field);
  const flags = row.textOr('flags', '');
  if (/[gy]/.test(flags)) row.problems.add(row.where, `has the flags \`${flags}\`; leave g and y out`);
  const problem = patternProblem(source);
  if (problem !== '') row.problems.add(row.where, `the ${field} ${problem}`);
  try {
    return new RegExp(source, flags.replace(/[gy]/g, '') + more);
  } catch (error) {
    row.problems.add(
      row.where,
      `the ${field} does not compile: ${error instanceof Error ? error.message : String(error)}`,
    );
    return new RegExp(NEVER, more);
  }
}

/** The row's `examples`: texts that the pattern must find and texts that it must not. */
export function readExamples(row: Row): PatternExamples {
  const examples = row.row('examples');
  const read = { matches: examples.texts('matches'), misses: examples.texts('misses') };
  examples.done();
  return read;
}
