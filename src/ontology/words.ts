/**
 * Lists, tables and patterns of `ontology/lists/` by name, for code that compiles its own look-up tables (`perOntology`).
 * A missing name throws: a reading without its words would find nothing and say nothing of it.
 */
import type { Ontology } from './index.ts';

type Words = readonly string[];

function found<T>(value: T | undefined, kind: string, name: string): T {
  if (value === undefined) throw new Error(`ontology/lists: the ${kind} \`${name}\` is missing`);
  return value;
}

/** The words of one list, in the order of the file. */
export const listOf = (ontology: Ontology, name: string): Words => found(ontology.lists.get(name), 'list', name);

/** The words of one list as a set. */
export const setOf = (ontology: Ontology, name: string): ReadonlySet<string> => new Set(listOf(ontology, name));

/** One table: word or name → list of words. */
export const tableOf = (ontology: Ontology, name: string): ReadonlyMap<string, Words> =>
  found(ontology.tables.get(name), 'table', name);

/** A table read from right to left: each word of a row → the name of the row. */
export const inverseOf = (ontology: Ontology, name: string): ReadonlyMap<string, string> =>
  new Map([...tableOf(ontology, name)].flatMap(([row, words]) => words.map((word): [string, string] => [word, row])));

/** One group of patterns: name → pattern without the flag `g`. */
export const patternsOf = (ontology: Ontology, name: string): ReadonlyMap<string, RegExp> =>
  found(ontology.patterns.get(name), 'group of patterns', name);

/** One pattern of a group, without the flag `g`. */
export const patternOf = (ontology: Ontology, group: string, name: string): RegExp =>
  found(patternsOf(ontology, group).get(name), 'pattern', `${group}.${name}`);
