/**
 * Lists, tables and patterns of the ontology by name, for tables that code makes once per ontology (`perOntology`).
 * A name that is missing is an error here, so that no reader falls silent when a list is renamed.
 */
import { type GappedSearch, gappedSearch } from '../lang/gapped.ts';
import { alternatives } from './pattern.ts';
import { OntologyError } from './problems.ts';
import type { Ontology } from './terms.ts';

/**
 * The words of a list of `lists/`.
 *
 * @throws OntologyError when there is no such list
 */
export function listOf(ontology: Ontology, name: string): readonly string[] {
  return known(ontology.lists.get(name), `the list \`${name}\``);
}

/**
 * The same as a set.
 *
 * @throws OntologyError when there is no such list
 */
export function setOf(ontology: Ontology, name: string): ReadonlySet<string> {
  return new Set(listOf(ontology, name));
}

/**
 * An expression for any word of a list with no letter on either side, in any case: `prod` in `db-prod.1` and not in `product`.
 *
 * @throws OntologyError when there is no such list
 */
export function wordOf(ontology: Ontology, name: string): RegExp {
  return new RegExp(`(?:^|[^a-z])${alternatives(listOf(ontology, name))}(?![a-z])`, 'i');
}

/**
 * A table of `lists/`: words by row.
 *
 * @throws OntologyError when there is no such table
 */
export function tableOf(ontology: Ontology, name: string): ReadonlyMap<string, readonly string[]> {
  return known(ontology.tables.get(name), `the table \`${name}\``);
}

/**
 * A table read from right to left: each word of a row → the name of the row.
 *
 * @throws OntologyError when there is no such table
 */
export function inverseOf(ontology: Ontology, name: string): ReadonlyMap<string, string> {
  return new Map(
    [...tableOf(ontology, name)].flatMap(([row, words]) => words.map((word): [string, string] => [word, row])),
  );
}

/**
 * One group of patterns: name → pattern without the flag `g`.
 *
 * @throws OntologyError when there is no such group
 */
export function patternsOf(ontology: Ontology, name: string): ReadonlyMap<string, RegExp> {
  return known(ontology.patterns.get(name), `the group of patterns \`${name}\``);
}

/**
 * One pattern of a group.
 *
 * @throws OntologyError when there is no such group or pattern
 */
export function patternOf(ontology: Ontology, group: string, name: string): RegExp {
  return known(ontology.patterns.get(group)?.get(name), `the pattern \`${name}\` of \`${group}\``);
}

/**
 * One expression that matches what any pattern of the group matches; where several do, the first in the file counts.
 *
 * @throws OntologyError when there is no such group or its patterns have different flags
 */
export function anyOf(ontology: Ontology, group: string): RegExp {
  const patterns = [...patternsOf(ontology, group).values()];
  const flags = new Set(patterns.map((pattern) => pattern.flags));
  if (flags.size > 1) throw new OntologyError([`lists: the patterns of \`${group}\` have different flags; use one`]);
  return new RegExp(patterns.map((pattern) => `(?:${pattern.source})`).join('|'), [...flags][0]);
}

/**
 * Whether any pattern of a group is found, for patterns of pieces with wide gaps between them (`lang/gapped.ts`).
 *
 * @throws OntologyError when there is no such group
 */
export function gappedIn(ontology: Ontology, group: string): GappedSearch {
  return gappedSearch([...patternsOf(ontology, group).values()]);
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new OntologyError([`lists: ${what} is missing`]);
  return value;
}
