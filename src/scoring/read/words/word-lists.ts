/** The ontology's named lists and patterns in the form that readings look things up in, made once for each ontology. */

import { snakeCase } from '../../../lang/names.ts';
import { Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';

const setsOf = perOntology(() => new Map<string, ReadonlySet<string>>());
const NO_WORDS: readonly string[] = [];

/** One list of `ontology/lists` as a set; empty when there is none of that name. */
export function wordSet(ontology: Ontology, list: string): ReadonlySet<string> {
  const sets = setsOf(ontology);
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = new Set(ontology.lists.get(list) ?? NO_WORDS)));
  return set;
}

/** Does one pattern of the group find something? The patterns are bounded; so must be the text. */
export function matchesAny(ontology: Ontology, group: string, text: string): boolean {
  for (const pattern of ontology.patterns.get(group)?.values() ?? []) if (pattern.test(text)) return true;
  return false;
}

const entriesByList = perOntology(() => new Map<string, Recall<string>>());

/** The first entry of the list that stands in the name as whole words (`mfa` in `require_mfa`), '' when none does. */
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
