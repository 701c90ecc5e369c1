/** Small facts about Python's values and names that the evaluator needs. */

import { NOTHING, text, unknown, type Value } from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { unescapeString } from '../decode.ts';
import type { World } from '../world.ts';

/** Code fences; `!command` and `%magic` lines of notebooks are run as shell and taken out. */
export function runEscapes(code: string, world: World): string {
  let plain = code.includes('```') ? code.replace(/^\s*```[\w-]*[ \t]*\n?|\n?```\s*$/g, '') : code;
  if (!/^[ \t]*[!%]/m.test(plain)) return plain;
  if (/^\s*%%(?:bash|sh|script|cmd)/.test(plain)) {
    world.run('shell', plain.replace(/^\s*%%.*\n?/, ''));
    return '';
  }
  plain = plain.replace(
    /^([ \t]*)(?:!{1,2}|%(?:sx|system|pip|conda)\b)(.*)$/gm,
    (line, indent: string, command: string) => {
      world.run('shell', /^[ \t]*%(?:pip|conda)/.test(line) ? line.trim().slice(1) : command);
      return `${indent}pass`;
    },
  );
  return plain.replace(/^([ \t]*)%.*$/gm, '$1pass');
}

/** Names that `from module import *` brings in and that act on the world. */
export const STAR: Readonly<Record<string, readonly string[]>> = {
  os: [
    'system',
    'remove',
    'unlink',
    'rename',
    'popen',
    'listdir',
    'walk',
    'environ',
    'fork',
    'kill',
    'chmod',
    'path',
    'rmdir',
  ],
  subprocess: ['run', 'call', 'Popen', 'check_output', 'check_call', 'getoutput'],
  shutil: ['rmtree', 'copy', 'copyfile', 'move', 'copytree'],
  pathlib: ['Path'],
  socket: ['socket'],
};

const COMPUTING = new Set(
  'abc argparse array ast bisect calendar cmath collections colorsys contextlib copy csv dataclasses datetime dateutil decimal difflib enum fractions functools gc hashlib heapq hmac html importlib inspect io itertools json keyword logging math matplotlib nltk networkx numbers numpy operator os pandas pathlib PIL plotly pprint queue random re scipy seaborn shutil sklearn statistics statsmodels string struct sympy sys tempfile textwrap threading time timeit tokenize traceback types typing unicodedata unittest uuid warnings zoneinfo __future__'.split(
    ' ',
  ),
);

/** Modules that only compute, or whose deeds the tables of calls know. */
export function isComputing(module: string): boolean {
  return COMPUTING.has(module.split('.', 1)[0]!);
}

/** Other names of the same modules. */
export function canonical(name: string): string {
  return name
    .replace(/^(?:posix|nt)(?=\.|$)/, 'os')
    .replace(/^(?:posixpath|ntpath)(?=\.|$)/, 'os.path')
    .replace(/^six\.moves\.(?=urllib)/, '')
    .replace(/^pathlib2/, 'pathlib')
    .replace(/^subprocess32/, 'subprocess');
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

/** Variables of the environment: places are known, all else is not. */
export function environmentValue(world: World, name: string): Value {
  if (/^(?:HOME|USERPROFILE|HOMEPATH)$/.test(name)) return text('~');
  if (/^(?:TMPDIR|TEMP|TMP)$/.test(name)) return text('/tmp');
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
