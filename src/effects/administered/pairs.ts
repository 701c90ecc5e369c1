/**
 * Names and values in whatever form they are given: parameters of a call, JSON, YAML, `name=value` on a command line, options with a
 * value. Each value has the names that lead to it, so that `{"firewall": {"enabled": false}}` and `firewall_enabled=no` read alike.
 */
import type { Leaf } from '../../events/parameters.ts';
import { walkOf } from '../../events/parameters.ts';
import { type Json, parseJson } from '../../lang/json.ts';

/** One value with the names that lead to it. */
export interface Pair {
  /** All names, outermost first, without the places in lists: `firewall.enabled`. */
  path: string;
  value: string;
}

const MAX_PAIRS = 400;
const MAX_TEXT = 16_000;
const MAX_VALUE = 400;
const MAX_PATH = 200;

/** The pairs among the leaves of parameters. */
export const pairsOfLeaves = (leaves: readonly Leaf[]): Pair[] =>
  leaves
    .slice(0, MAX_PAIRS)
    .map(({ path, value }) => ({ path: path.replace(/\[\d{1,6}\]/g, '').slice(-MAX_PATH), value: textOf(value) }));

/** The pairs on a command line: of its words together, and of each word that is a document of its own. */
export function pairsOfCommand(words: readonly string[], input: string): Pair[] {
  const isDocument = (word: string): boolean => /^(?:[\w.-]{1,40}=)?\s{0,20}[[{]/.test(word);
  const line = words
    .filter((word) => !isDocument(word))
    .map((word) => (/[\s]/.test(word) && !/=/.test(word) ? `'${word}'` : word));
  return [
    ...pairsInText(line.join(' ')),
    ...words.filter(isDocument).flatMap((word) => pairsInText(word.replace(/^[\w.-]{1,40}=/, ''))),
    ...(input === '' ? [] : pairsInText(input)),
  ].slice(0, MAX_PAIRS);
}

const textOf = (value: string | number | boolean): string => String(value).slice(0, MAX_VALUE).trim();

/** A name and its value: quoted or bare, behind an option's dashes or not, joined by `=`, `:` or, behind dashes, a blank. */
const PAIR =
  /(?<![\w.$-])(?:--?(?<option>[A-Za-z][\w.-]{1,80})(?:=|\s{1,4}(?!-))|\\?["']?(?<name>[A-Za-z][\w./-]{1,80})\\?["']?\s{0,4}[=:]\s{0,4})(?<value>\[?\s{0,2}\\?(?:"[^"\n]{0,400}"|'[^'\n]{0,400}'|[^\s,;{}[\]"'\n\\]{1,400}))/g;
/** Braces or several words, with a name and a value among them. */
const STATEMENT = /[\s{(][\w"']{2,60}\s{0,4}[:=]/;
/** A line of YAML that only names what is below it. */
const OPENING = /^(?<depth>\s{0,60})(?:-\s{1,4})?["']?(?<name>[A-Za-z][\w./-]{1,80})["']?:\s{0,4}$/;

/** The pairs in a text: one JSON document, else whatever looks like a name with a value. */
export function pairsInText(given: string, nesting = 0): Pair[] {
  const text = given.slice(0, MAX_TEXT);
  const document = jsonIn(text);
  if (document !== undefined) return named(pairsOfLeaves(walkOf(document).leaves));
  const found: Pair[] = [];
  const above: { depth: number; name: string }[] = [];
  for (const line of text.split('\n')) {
    const depth = line.length - line.trimStart().length;
    while (above.length > 0 && above.at(-1)!.depth >= depth && line.trim() !== '') above.pop();
    const opening = OPENING.exec(line)?.groups?.['name'];
    if (opening !== undefined) {
      above.push({ depth, name: opening });
      continue;
    }
    const names = above.map(({ name }) => name);
    for (const { groups } of line.matchAll(PAIR)) {
      if (found.length >= MAX_PAIRS) return named(found);
      const path = [...names, groups?.['option'] ?? groups?.['name'] ?? ''].join('.').slice(-MAX_PATH);
      found.push(...innerPairs(path, plain(groups?.['value'] ?? ''), nesting));
    }
  }
  return named(found);
}

/** Names whose value is the name of the setting, which stands before it. */
export const NAMING: ReadonlySet<string> = new Set([
  'key',
  'name',
  'setting',
  'parameter',
  'option',
  'property',
  'flag',
  'variable',
  'path',
]);

/** The nearest of the names that lead to a value, in lower case. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** `Key=x,Values=y` and `{"name": "x", "value": "y"}` say what `x=y` says. */
export const named = (pairs: readonly Pair[]): Pair[] =>
  pairs.map((pair, i) => {
    const before = pairs[i - 1];
    return before !== undefined && lastOf(pair.path).startsWith('value') && NAMING.has(lastOf(before.path))
      ? { ...pair, path: `${pair.path}.${before.value}` }
      : pair;
  });

/** The value itself, or the pairs of a document or list of settings that it holds. */
function innerPairs(path: string, value: string, nesting: number): Pair[] {
  const inner = jsonIn(value);
  if (inner !== undefined)
    return pairsOfLeaves(walkOf(inner).leaves).map((pair) => ({ ...pair, path: `${path}.${pair.path}` }));
  const set = /^([A-Za-z][\w.-]{1,80})=(\S{1,300})$/.exec(value);
  if (set !== null) return [{ path: `${path}.${set[1]}`, value: set[2]! }];
  // A statement that is handed over as one value.
  return nesting === 0 && STATEMENT.test(value) ? pairsInText(value, nesting + 1) : [{ path, value }];
}

const plain = (value: string): string => value.replace(/^[[\s\\]{0,4}["']?|\\?["']?$/g, '').trim();

function jsonIn(text: string): Json | undefined {
  if (!/^\s{0,20}[[{]/.test(text)) return undefined;
  return parseJson(text);
}
