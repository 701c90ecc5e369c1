/** Compiles the rows of `ontology/libraries/` into a table from the name of a call to its handler. */
import { OntologyError } from '../../ontology/index.ts';
import type { CallEntry, Ontology } from '../../ontology/terms.ts';
import { patternOf } from '../../ontology/words.ts';
import { FROM } from '../data.ts';
import { EFFECT_KINDS, type EffectKind, type Scope } from '../effects.ts';
import { does } from './code-calls.ts';
import { type CallTable, type Handler, text } from './values.ts';

/** Handlers by the name in the field `reader`. */
export type Readers = Readonly<Record<string, Handler>>;

export interface LibraryTables {
  calls: CallTable;
  /** Dotted name → text. */
  constants: ReadonlyMap<string, string>;
  /** Module → the name under which `calls` has it. */
  module_aliases: ReadonlyMap<string, string>;
}

/**
 * Compiles the libraries of a language.
 *
 * @throws OntologyError when the ontology has no libraries of the language, or for rows with an unknown reader, effect or result
 */
export function compileLibrary(ontology: Ontology, language: string, readers: Readers): LibraryTables {
  const library = ontology.libraries.get(language);
  if (library === undefined) throw new OntologyError([`libraries: \`${language}.yaml\` is missing`]);
  const problems: string[] = [];
  const calls = new Map<string, Handler>();
  for (const entry of library.calls) {
    const handler = handlerOf(entry, readers, problems);
    for (const name of entry.names) calls.set(name, handler);
  }
  if (problems.length > 0) throw new OntologyError(problems);
  return { calls, constants: library.constants, module_aliases: library.module_aliases };
}

function handlerOf(entry: CallEntry, readers: Readers, problems: string[]): Handler {
  if (entry.returns !== '') return () => text(entry.returns);
  if (entry.effect !== '') {
    if (!Object.hasOwn(EFFECT_KINDS, entry.effect))
      problems.push(`${entry.where}: the effect \`${entry.effect}\` does not exist; see src/effects/effects.ts`);
    return does(entry.effect as EffectKind, entry.scope as Scope, entry.object, originOf(entry, problems));
  }
  if (Object.hasOwn(readers, entry.reader)) return readers[entry.reader]!;
  problems.push(`${entry.where}: the reader \`${entry.reader}\` does not exist; see src/effects`);
  return () => undefined;
}

/** Bits of `FROM` for the names in the field `result`. */
function originOf(entry: CallEntry, problems: string[]): number {
  let origin = 0;
  for (const name of entry.result) {
    if (Object.hasOwn(FROM, name)) origin |= FROM[name as keyof typeof FROM];
    else
      problems.push(
        `${entry.where}: \`result\` has the unknown origin \`${name}\`; see \`FROM\` in src/effects/data.ts`,
      );
  }
  return origin;
}

/** Source of a regular expression that finds a call of a function whose name this pattern of the ontology matches. */
export function callSource(ontology: Ontology, group: string, name: string): string {
  return `\\b${patternOf(ontology, group, name).source}\\s{0,200}\\(`;
}
