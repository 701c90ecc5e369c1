/** Who reads each fact: built-in rules, reducers, scopes of frameworks, and code of the scoring itself. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { BINDINGS, type Rule } from '../../src/scoring/rules/rules.ts';

const SRC = resolve(import.meta.dirname, '../../src');
/** `facts.bool('is_mutating')`, as layers, confidence, explanation and counterfactuals read facts. */
const READ_IN_CODE = /\.(?:get|int|bool|string|strings)\('([a-z_]+)'\)/g;

export interface Readers {
  rules: readonly Rule[];
  reducers: readonly string[];
  frameworks: readonly string[];
  /** Paths below `src/`. */
  files: readonly string[];
}

/** Facts that the rule reads in its conditions, its sentence, or as the list of its elements. */
export function readsOfRule({ when, aggravated, violation, each }: Rule): ReadonlySet<string> {
  const list = BINDINGS.get(each);
  const conditions = [when, ...aggravated.map((more) => more.when)];
  return new Set([
    ...conditions.flatMap(({ reads }) => reads),
    ...violation.reads,
    ...(list === undefined ? [] : [list]),
  ]);
}

/** Fact name → files of the scoring that read it. */
function filesByFact(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  const paths = globSync('scoring/**/*.ts', { cwd: SRC, exclude: ['**/*.test.ts', 'scoring/facts/**'] }).sort();
  for (const path of paths) {
    const names = [...readFileSync(join(SRC, path), 'utf8').matchAll(READ_IN_CODE)].map(([, name]) => name!);
    for (const name of new Set(names)) files.set(name, [...(files.get(name) ?? []), path]);
  }
  return files;
}

/** A function from the name of a fact to its readers. */
export function factReaders({ rules, reducers, bindings }: Knowledge): (name: string) => Readers {
  const reads = rules.map((rule) => ({ rule, names: readsOfRule(rule) }));
  const files = filesByFact();
  return (name) => ({
    rules: reads.filter(({ names }) => names.has(name)).map(({ rule }) => rule),
    reducers: reducers.filter(({ when }) => when.reads.includes(name)).map(({ id }) => id),
    frameworks: [...bindings].filter(([, { scope }]) => scope?.reads.includes(name)).map(([framework]) => framework),
    files: files.get(name) ?? [],
  });
}
