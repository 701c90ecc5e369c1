/** Small facts about Python's values and names that the evaluator needs. */

import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { NOTHING, text, unknown, type Value } from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { unescapeString } from '../decode.ts';
import type { World } from '../world.ts';

/** Commands of notebooks that are run as shell. */
export const notebookCommands = perOntology((ontology) => {
  const source = (name: string): string => patternOf(ontology, 'python_code', name).source;
  return {
    cells: patternOf(ontology, 'python_code', 'shell_cells'),
    lines: new RegExp(`^([ \\t]*)(?:!{1,2}|${source('shell_lines')}|${source('package_lines')}\\b)(.*)$`, 'gm'),
    packages: new RegExp(`^[ \\t]*${source('package_lines')}`),
  };
});

/** Code fences; `!command` and `%magic` lines of notebooks are run as shell and taken out. */
export function runEscapes(code: string, world: World): string {
  let plain = code.includes('```') ? code.replace(/^\s*```[\w-]*[ \t]*\n?|\n?```\s*$/g, '') : code;
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

/** Modules and names of Python's code. Compiled once per ontology. */
export const pythonModules = perOntology((ontology) => ({
  computing: setOf(ontology, 'python_computing_modules'),
  star_imports: tableOf(ontology, 'python_star_imports'),
}));

/** Names that `from module import *` brings in and that act on the world. */
export function starImports(ontology: Ontology, module: string): readonly string[] {
  return pythonModules(ontology).star_imports.get(module) ?? [];
}

/** Modules that only compute, or whose deeds the tables of calls know. */
export function isComputing(ontology: Ontology, module: string): boolean {
  return pythonModules(ontology).computing.has(module.split('.', 1)[0]!);
}

/** The name under which the tables of calls know a module or what stands in it. */
export function canonical(name: string, aliases: ReadonlyMap<string, string>): string {
  for (const [alias, module] of aliases)
    if (name === alias || name.startsWith(`${alias}.`)) return module + name.slice(alias.length);
  return name;
}

export function firstKnown(values: readonly Value[]): Value {
  const chosen = values.find((v) => v.text !== HOLE || v.ref !== '') ?? values[0] ?? NOTHING;
  return { ...chosen, taint: values.reduce((t, v) => t | v.taint, 0) };
}

/** What a loop over this value sees. */
export function elementsOf(over: Value): Value[] {
  if (over.items !== undefined) return over.items.length > 0 ? over.items : [unknown(over.taint)];
  if (over.entries !== undefined && over.entries.size > 0) return [...over.entries.keys()].map((k) => text(k));
  if (over.taint & FROM.listing) return [{ ...over }];
  if (
    over.text !== HOLE &&
    over.number === undefined &&
    over.ref === '' &&
    over.text.length <= 64 &&
    !over.text.includes(HOLE)
  )
    return [...over.text].map((c) => text(c, over.taint));
  return [unknown(over.taint, over.ref === '' ? '' : `${over.ref}[]`)];
}

/** Variables of the environment that hold a folder. */
export const placeVariables = perOntology((ontology) => ({
  home: setOf(ontology, 'home_variables'),
  indexed_home: setOf(ontology, 'indexed_home_variables'),
  temporary: setOf(ontology, 'temporary_folder_variables'),
}));

/** Variables of the environment: places are known, all else is not. */
export function environmentValue(world: World, name: string): Value {
  const { home, indexed_home, temporary } = placeVariables(world.ontology);
  if (home.has(name) || indexed_home.has(name)) return text('~');
  if (temporary.has(name)) return text('/tmp');
  const known = world.variables[name];
  return known === undefined ? unknown() : text(known.text, known.taint);
}

/** Content of a string literal: prefix, quotes and escapes resolved. */
export function stringValue(literal: string): string {
  const m = /^([a-zA-Z]*)('''|"""|'|")([\s\S]*)$/.exec(literal);
  if (m === null) return literal;
  const body = m[3]!.endsWith(m[2]!) ? m[3]!.slice(0, -m[2]!.length) : m[3]!;
  return /r/i.test(m[1]!) ? body : unescapeString(body);
}
