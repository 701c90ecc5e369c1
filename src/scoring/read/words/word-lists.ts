/** The ontology's named lists, tables and patterns in the forms that readings look things up in, memoized per ontology. */

import { snakeCase } from '../../../lang/names.ts';
import { Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../ontology/words.ts';
import { hashWord } from './lexer.ts';

const setsOf = perOntology(() => new Map<string, ReadonlySet<string>>());
const NO_WORDS: readonly string[] = [];

/** The same pattern with the flag `g`, for `matchAll`. */
export function globalPatternOf(ontology: Ontology, group: string, name: string): RegExp {
  const { source, flags } = patternOf(ontology, group, name);
  return new RegExp(source, `${flags}g`);
}

/** A list of `ontology/lists` as a set; empty if there is no list of that name. */
export function wordSet(ontology: Ontology, list: string): ReadonlySet<string> {
  const sets = setsOf(ontology);
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = new Set(ontology.lists.get(list) ?? NO_WORDS)));
  return set;
}

/** The words as the lexer hashes words of texts. */
export const hashSet = (words: readonly string[]): ReadonlySet<number> => new Set(words.map(hashWord));

const hashesOf = perOntology(() => new Map<string, ReadonlySet<number>>());

/**
 * A list as hashes of its words.
 *
 * @throws Error when `ontology/lists` has no such list
 */
export function hashedList(ontology: Ontology, list: string): ReadonlySet<number> {
  const sets = hashesOf(ontology);
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = hashSet(listOf(ontology, list))));
  return set;
}

/** Whether one of the group's patterns matches. The repetitions of a pattern are bounded; the caller bounds the text. */
export function matchesAny(ontology: Ontology, group: string, text: string): boolean {
  for (const pattern of ontology.patterns.get(group)?.values() ?? []) if (pattern.test(text)) return true;
  return false;
}

const entriesByList = perOntology(() => new Map<string, Recall<string>>());

/** The first entry of the list that the name contains as whole words (`mfa` in `require_mfa`); '' if it contains none. */
export function entryInName(ontology: Ontology, list: string, name: string): string {
  if (name === '') return '';
  const lists = entriesByList(ontology);
  let entries = lists.get(list);
  if (entries === undefined) lists.set(list, (entries = new Recall()));
  return entries.get(name, () => {
    const padded = `_${snakeCase(name)}_`;
    for (const entry of wordSet(ontology, list)) if (padded.includes(`_${entry}_`)) return entry;
    return '';
  });
}
