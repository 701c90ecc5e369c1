/** Helpers of the Python evaluator: notebook commands, modules, loop elements, string literals. */

import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { withoutFences } from '../code/fences.ts';
import { NOTHING, text, unknown, type Value } from '../code/values.ts';
import { built, FROM, HOLE } from '../data.ts';
import { unescapeString } from '../decode.ts';
import type { World } from '../world.ts';

/** Magic commands of notebooks that run as shell. */
export const notebookCommands = perOntology((ontology) => {
  const source = (name: string): string => patternOf(ontology, 'python_code', name).source;
  return {
    cells: patternOf(ontology, 'python_code', 'shell_cells'),
    lines: new RegExp(`^([ \\t]{0,200})(?:!{1,2}|${source('shell_lines')}|${source('package_lines')}\\b)(.*)`, 'gm'),
    packages: new RegExp(`^[ \\t]*${source('package_lines')}`),
  };
});

/** Removes code fences, and runs and removes the `!command` and `%magic` lines of notebooks. */
export function runEscapes(code: string, world: World): string {
  let plain = withoutFences(code);
  if (!/^[ \t]*[!%]/m.test(plain)) return plain;
  const { cells, lines, packages } = notebookCommands(world.ontology);
  if (cells.test(plain.trimStart())) {
    world.run('shell', plain.replace(/^\s*%%.*\n?/, ''));
    return '';
  }
  plain = plain.replace(lines, (line, indent: string, command: string) => {
    world.run('shell', packages.test(line) ? line.trim().slice(1) : command);
    return `${indent}pass`;
  });
  return plain.replace(/^([ \t]*)%.*$/gm, '$1pass');
}

/** Modules without side effects, and names that star imports bring in. Memoized per ontology. */
export const pythonModules = perOntology((ontology) => ({
  computing: setOf(ontology, 'python_computing_modules'),
  star_imports: tableOf(ontology, 'python_star_imports'),
  acting: setOf(ontology, 'python_acting_modules'),
  namespaces: setOf(ontology, 'python_namespaces'),
  getters: setOf(ontology, 'python_name_getters'),
  preloaded: setOf(ontology, 'preloaded_variables'),
}));

/** Names with side effects that `from module import *` brings in. */
export function starImports(ontology: Ontology, module: string): readonly string[] {
  return pythonModules(ontology).star_imports.get(module) ?? [];
}

/** Whether a module only computes, or has its calls with side effects in the call table. */
export function isComputing(ontology: Ontology, module: string): boolean {
  return pythonModules(ontology).computing.has(module.split('.', 1)[0]!);
}

/** Replaces the alias of a module, at the start of a dotted name, by the name that the call table uses. */
export function canonical(name: string, aliases: ReadonlyMap<string, string>): string {
  for (const [alias, module] of aliases)
    if (name === alias || name.startsWith(`${alias}.`)) return module + name.slice(alias.length);
  return name;
}

export function firstKnown(values: readonly Value[]): Value {
  const chosen = values.find((v) => v.text !== HOLE || v.ref !== '') ?? values[0] ?? NOTHING;
  return { ...chosen, taint: values.reduce((t, v) => t | v.taint, 0) };
}

/** Bytes of a text that a loop goes over. */
const MAX_BYTES = 256;

/** Values of the loop variable when a loop iterates over `over`. */
export function elementsOf(over: Value): Value[] {
  if (over.items !== undefined) return over.items.length > 0 ? over.items : [unknown(over.taint)];
  if (over.entries !== undefined && over.entries.size > 0) return [...over.entries.keys()].map((k) => text(k));
  if (over.taint & FROM.listing) return [{ ...over }];
  if (
    over.text !== HOLE &&
    over.number === undefined &&
    over.ref === '' &&
    over.text.length <= (over.is_bytes === true ? MAX_BYTES : 64) &&
    !over.text.includes(HOLE)
  )
    return [...over.text].map((c) =>
      over.is_bytes === true
        ? { ...text(String(c.charCodeAt(0)), over.taint), number: c.charCodeAt(0) }
        : text(c, over.taint),
    );
  return [unknown(over.taint, over.ref === '' ? '' : `${over.ref}[]`)];
}

/** Content of a string literal, without prefix and quotes and with escapes resolved. */
export function stringValue(literal: string): string {
  const m = /^([a-zA-Z]*)('''|"""|'|")([\s\S]*)$/.exec(literal);
  if (m === null) return literal;
  const body = m[3]!.endsWith(m[2]!) ? m[3]!.slice(0, -m[2]!.length) : m[3]!;
  return /r/i.test(m[1]!) ? body : unescapeString(body);
}

/** A variable that loads a library into every program that starts from now on. */
export function notePreload(world: World, name: string, excerpt: string): void {
  if (pythonModules(world.ontology).preloaded.has(name)) world.add('injects', 'many', name, excerpt);
}

/** `'rm %s' % path`: the text with the values in its places. */
export function filledIn(format: Value, given: Value): Value {
  const values = given.items ?? [given];
  let next = 0;
  return text(
    built(format.text.replace(/%[-+0-9.]*[a-z%]/g, (place) => (place === '%%' ? '%' : (values[next++]?.text ?? HOLE)))),
    values.reduce((bits, { taint }) => bits | taint, format.taint | given.taint),
  );
}
