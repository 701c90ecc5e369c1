/** Identifiers: case folding, words inside a name, plausibility. ASCII only, independent of the locale. */

import { remembering } from './remember.ts';

/** Only this many characters of a name are read, which bounds the cost; no real identifier is longer. */
const MAX_NAME = 256;

/** Lower case of A-Z only, so that the result never depends on a locale and indices stay the same. */
export function asciiLower(text: string): string {
  if (!/[A-Z]/.test(text)) return text;
  // Lower-case whole runs of ASCII at once: a long text of mixed case has many capitals.
  return /^[\u0000-\u007f]*$/.test(text)
    ? text.toLowerCase()
    : text.replace(/[\u0000-\u007f]+/g, (run) => run.toLowerCase());
}

/** `GitHubGetUser`, `git_hub-get.user` → `git hub get user`. Numbers are words of their own. */
export const wordsOf: (name: string) => readonly string[] = remembering(splitWords);

/** The same without memoizing, for texts that do not recur, such as ids. */
export function splitWords(name: string): readonly string[] {
  // linear: each alternative is one run of letters, and giving a letter back does not start it again
  const words = name.slice(0, MAX_NAME).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\u0000-\u007f]+/g);
  return words === null ? [] : words.map(asciiLower);
}

/** Parts of a name between its separators that hold digits, which `wordsOf` takes apart: `k8s` of `k8s-prod`, `s3` of `delete_s3_bucket`. */
export function piecesWithDigits(name: string): readonly string[] {
  if (!/\d/.test(name)) return NO_PIECES;
  const pieces = asciiLower(name.slice(0, MAX_NAME)).match(/[a-z\d]+/g) ?? NO_PIECES;
  return pieces.filter((piece) => /[a-z]/.test(piece) && /\d/.test(piece));
}

const NO_PIECES: readonly string[] = [];

/** English singular of one lower-case word, accurate enough to compare words but not to print them. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is'))
    return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** The words of a name, each in the singular: `GitHubUsers` → `git hub user`. */
export const singularsOf: (name: string) => readonly string[] = remembering((name) => wordsOf(name).map(singular));

/** `userAddress.ZIPCode` → `user_address_zip_code`; digits stay with their word (`icd10`, `cvv2`). */
export const snakeCase: (name: string) => string = remembering(toSnakeCase);

const IS_SNAKE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

function toSnakeCase(name: string): string {
  if (name.length <= MAX_NAME && IS_SNAKE.test(name)) return name;
  const split = name
    .slice(0, MAX_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  return asciiLower(split)
    .replace(/[^a-z0-9\u0080-\uffff]+/g, '_')
    .replace(/^_|_$/g, '');
}

/**
 * Whether the text consists of blanks, quotes, brackets, dashes and stops only: an empty field, or an empty value that was
 * converted to text. False for a mask such as `***`, which replaces a name.
 */
export function namesNothing(text: string): boolean {
  return NOTHING.test(text);
}

const NOTHING = /^[\s\p{Z}\p{Cc}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\u00ad\u200b-\u200f\u2060\ufeff"'`.,:;…]*$/u;

/**
 * Whether a program could use this as a name. False for prose, markup and mixed scripts. A name in another script is
 * plausible only if it is short, because some scripts write sentences without spaces.
 */
export const isPlausibleName: (name: string) => boolean = remembering((name) => {
  if (/^[A-Za-z0-9_$@#:/.()[\]-]{1,64}$/.test(name)) return true;
  // No blanks stand between the words of these scripts, so that a longer name may be a sentence.
  const longest = /[\u3040-\u9fff\u0e00-\u0e7f]/.test(name) ? 16 : 64;
  if (name.length > longest || !/^[\p{L}\p{M}\p{N}_.-]+$/u.test(name)) return false;
  return !(/[A-Za-z]/.test(name) && /[\u0370-\u052f]/.test(name));
});

/** The words of all parts of a path to a parameter, in the singular: `limits.max_items[1]` → `limit`, `max`, `item`, `1`. */
export const pathWords: (path: string) => readonly string[] = remembering((path) =>
  path.split(/[.[\]]+/).flatMap(singularsOf),
);

/** `mob-88121` → `mob-9`, `/archive/2017-atrium` → `/archive/9-a`: what precedes the first digit names the kind. */
export function shapeOf(number: string): string {
  const at = number.search(/\d/);
  return (
    number.slice(0, at) +
    number
      .slice(at)
      .replace(/\d+/g, '9')
      .replace(/[a-z]+/g, 'a')
  );
}

/** The last word of a name in snake case: `number` of `account_number`. */
export const lastWord = (name: string): string => name.slice(name.lastIndexOf('_') + 1);
