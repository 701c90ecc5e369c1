/** Builtins of shells that work with the shell itself: variables, aliases, folder, input, and code that they run. */

import { unquoted } from '../../lang/ends.ts';
import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { isKeptCode, runFile, runText } from '../deeds/run-code.ts';
import { type Call, field, inputFiles, programName, readOptions } from '../shell/call.ts';
import { ENVIRONMENT_TEXT } from './files/read-files.ts';
import type { Reader, Readers } from './knowledge.ts';
import { joined } from './text.ts';
import { runMaterial } from './unlisted/material.ts';

const changeFolder: Reader = () => (c) => {
  const to = readOptions(c.args).operands[0]?.text ?? '~';
  if (!to.includes(HOLE) && to !== '-') c.world.cwd = c.world.describe(to).path;
  return { text: '', taint: 0 };
};

const NO_OPTIONS: ReadonlySet<string> = new Set();
/** An option or an assignment before the command that `env` runs. */
const ENVIRONMENT_ARGUMENT = /^(?:-\w*|-[SCPu].*|--[\w-]*(?:=.*)?|\w+=.*)$/s;

/** `env A=1 -u B -C folder command`: sets the variables and runs the command; without one, prints the environment. */
function runInEnvironment(c: Call, withValue: ReadonlySet<string> = NO_OPTIONS): Data {
  const args = [...c.args];
  while (args[0] !== undefined && ENVIRONMENT_ARGUMENT.test(args[0].text)) {
    // `-S'rm -rf x'`: a command in one word.
    const split = /^(?:-\w?S|--split-string(?:=|$))\s*(.*)$/s.exec(args[0].text);
    if (split !== null) {
      const { taint } = args.shift()!;
      const words = split[1] === '' ? (args.shift()?.text ?? '') : split[1]!;
      args.unshift(
        ...words
          .split(/\s+/)
          .filter((w) => w !== '')
          .map((w) => field(w, taint)),
      );
      continue;
    }
    const assigned = /^(\w+)=(.*)$/s.exec(args[0].text);
    if (assigned !== null) c.setVariable(assigned[1]!, { text: assigned[2]!, taint: args[0].taint });
    const option = args.shift()!.text;
    if (option === '--') break;
    if (withValue.has(option.replace(/^--?/, ''))) args.shift();
  }
  if (args.length > 0) return c.invoke(args, c.stdin);
  c.world.add('reads', 'one', 'environment', c.excerpt);
  return { text: ENVIRONMENT_TEXT, taint: FROM.system };
}

const exportVariables: Reader = (k) => {
  const silent = k.words('silent');
  return (c) => {
    if (c.args.length === 0 && !silent.has(c.name)) return runInEnvironment(c);
    const isReference = c.args.some((a) => /^-[a-zA-Z]*n$/.test(a.text));
    for (const a of readOptions(c.args).operands) {
      const assigned = /^(\w+)=(.*)$/s.exec(a.text);
      if (assigned !== null && isReference && /^\w+$/.test(assigned[2]!)) {
        c.setVariable(assigned[1]!, c.variable(assigned[2]!));
        continue;
      }
      if (assigned !== null) c.world.variables.set(assigned[1]!, { text: unquoted(assigned[2]!), taint: a.taint });
    }
    return undefined;
  };
};

const unset: Reader = () => (c) => {
  for (const a of c.args) c.setVariable(a.text, null);
  return undefined;
};

const history: Reader = (k) => {
  const erases = k.pattern('erases');
  return (c) => {
    if (c.args.some((a) => erases.test(a.text)))
      c.world.add('tampers_with_logs', 'everything', 'shell history', c.excerpt);
    else c.world.add('reads_personal_data', 'one', 'shell history', c.excerpt);
    return undefined;
  };
};

const set: Reader = () => (c) => {
  if (c.args[0]?.text === '+o' && c.args[1]?.text === 'history')
    c.world.add('tampers_with_logs', 'one', 'shell history', c.excerpt);
  const end = c.args.findIndex((a) => a.text === '--');
  if (end >= 0) c.setPositional(c.args.slice(end + 1));
  else if (c.args.length > 0 && !/^[-+]/.test(c.args[0]!.text)) c.setPositional(c.args);
  return undefined;
};

const alias: Reader = (k) => {
  const imitated = k.words('imitated');
  return (c) => {
    for (const a of c.args) {
      const m = /^([\w.-]+)=(.*)$/s.exec(a.text);
      if (m === null) continue;
      const [, name = '', code = ''] = m;
      c.setAlias?.(name, unquoted(code));
      c.world.runDormant('shell', unquoted(code));
      // The name of a common command that now does something else.
      if (imitated.has(name) && !code.replace(/^['"]/, '').startsWith(name))
        c.world.add('persists', 'one', name, c.excerpt);
    }
    return undefined;
  };
};

const evaluate: Reader = () => (c) => {
  const code = joined(c.args);
  const hidden = code.taint & (FROM.network | FROM.decoded | (isKeptCode(code) ? FROM.service : 0));
  runMaterial(c, code);
  if (hidden !== 0 || code.text === HOLE) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  if (code.text === HOLE) return { text: HOLE, taint: code.taint };
  return c.evaluate(code);
};

const source: Reader = () => (c) => {
  const file = c.args[0];
  // fish reads what is piped in where no file is named; in other shells that is a mistake.
  const isInput = file === undefined || file.text === '-' || inputFiles(c.world.ontology).has(file.text);
  const given = file?.content ?? (isInput ? c.stdin : null);
  if (given !== null && given !== undefined) {
    if (isKnown(given) && given.taint === 0) return c.evaluate(given);
    runMaterial(c, given);
    runText(c.world, 'shell', given, c.excerpt);
  } else if (file !== undefined) runFile(c.world, file.text, 'shell', c.excerpt);
  return undefined;
};

const trap: Reader = () => (c) => {
  const code = c.args[0];
  if (code === undefined || code.text === '-') return undefined;
  if (code.taint & (FROM.network | FROM.decoded | FROM.service)) runText(c.world, 'shell', code, c.excerpt);
  return c.evaluate(code);
};

const readVariable: Reader = (k) => {
  const withValue = k.words('with_value');
  const prompt = [...k.wordsOrNone('prompt')];
  const imitates = k.patternOrNone('imitates');
  const arrays = k.options('arrays');
  const lines = k.words('lines');
  return (c) => {
    const options = readOptions(c.args, withValue);
    // The question of another program, whose answer goes to that program and not to a variable.
    if (c.stdin === null && imitates?.test(options.value(prompt)))
      c.world.add('reads_credentials', 'everything', 'password of a person', c.excerpt);
    const data = c.stdin ?? { text: HOLE, taint: 0 };
    const array = options.value(arrays) || (lines.has(c.name) ? (options.operands[0]?.text ?? 'MAPFILE') : '');
    if (array !== '') {
      const parts = isKnown(data)
        ? data.text.trim().split(lines.has(c.name) ? /\n/ : (c.separators ?? /\s+/))
        : [data.text];
      c.setElements?.(
        array,
        parts.map((text) => ({ text, taint: data.taint })),
      );
      return { text: '', taint: 0 };
    }
    const names = options.operands;
    // The first names take a word each, the last one the rest of the line.
    const line = isKnown(data) ? data.text.split('\n', 1)[0]! : '';
    const words = line.trim().split(/\s+/);
    for (const [i, n] of names.entries()) {
      const own = i === names.length - 1 ? words.slice(i).join(' ') : (words[i] ?? '');
      const text = isKnown(data) ? own : data.taint & FROM.listing ? data.text : HOLE;
      c.setVariable(n.text, { text, taint: data.taint });
    }
    return { text: '', taint: 0 };
  };
};

/** `hash -p /bin/rm ls`: a name that stands for another program. */
const rememberPlace: Reader = (k) => {
  const place = k.options('place');
  const withValue = k.words('with_value');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const path = options.value(place);
    if (path !== '' && options.operands[0] !== undefined) c.setAlias?.(options.operands[0].text, path);
    return undefined;
  };
};

/** `which sh`: where a program is; its name stands for it. */
function placeOf(operands: readonly Data[]): Data {
  const name = operands[0];
  return name === undefined || !isKnown(name) ? { text: HOLE, taint: 0 } : { text: programName(name.text), taint: 0 };
}

const runCommand: Reader = (k) => {
  const asks = k.pattern('asks');
  const withValue = k.words('with_value');
  return (c) => {
    const { operands } = readOptions(c.args, withValue, true);
    const isAsking = c.args.some((a) => asks.test(a.text));
    return operands.length === 0 || isAsking ? placeOf(operands) : c.invoke(operands, c.stdin);
  };
};

export const BUILTIN_READERS: Readers = {
  place: () => (c) => placeOf(readOptions(c.args).operands),
  change_folder: changeFolder,
  environment: (k) => {
    const withValue = k.words('with_value');
    return (c) => runInEnvironment(c, withValue);
  },
  export: exportVariables,
  unset,
  history,
  set,
  alias,
  evaluate,
  source,
  trap,
  read_variable: readVariable,
  remember_place: rememberPlace,
  run_command: runCommand,
};
