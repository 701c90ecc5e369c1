/** Builtins and filters that make, decode and hand on text. */

import { unquoted } from '../../lang/ends.ts';
import { built, type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64, decodeHex, encodeBase64, encodeHex, reversed, rot13, unescapeString } from '../decode.ts';
import { deletePath, runFile, runText } from '../deeds.ts';
import { type Call, field, inputFiles, programName, readOptions } from '../shell/call.ts';
import type { Reader, Readers } from './knowledge.ts';
import { ENVIRONMENT_TEXT, readOperand } from './read-files.ts';
import { runMaterial } from './unlisted/material.ts';

const joined = (args: readonly Data[]): Data => ({
  text: args.map((a) => a.text).join(' '),
  taint: args.reduce((t, a) => t | a.taint, 0),
});

const echo: Reader = (k) => {
  const escapes = k.words('escapes');
  return (c) => {
    const first = c.args[0]?.text ?? '';
    const shown = joined(/^-[neE]+$/.test(first) ? c.args.slice(1) : c.args);
    if (!escapes.has(first) || !shown.text.includes('\\')) return shown;
    // Letters written as codes hide what is printed; line ends and tabs do not.
    const hasCodes = /(?:\\x[0-9a-f]{2}|\\0?[0-7]{3}){3}/i.test(shown.text);
    return { text: unescapeString(shown.text), taint: shown.taint | (hasCodes ? FROM.decoded : 0) };
  };
};

/** Times that a format is used again for the words that are left. */
const MAX_REPEATS = 32;

/** `printf format words…`; `-v name` keeps what would be printed in a variable. */
const printf: Reader = () => (c) => {
  const variable = c.args[0]?.text === '-v' ? c.args[1]?.text : undefined;
  const [format, ...rest] = c.args.slice(variable === undefined ? 0 : 2).filter((a, i) => i > 0 || a.text !== '--');
  if (format === undefined) return undefined;
  let next = 0;
  let text = '';
  for (let i = 0; i < MAX_REPEATS && (i === 0 || next < rest.length); i++) {
    const before = next;
    text += unescapeString(format.text).replace(/%[-+0-9.]*([sdbqcx%])/g, (_m, kind: string) =>
      kind === '%' ? '%' : kind === 'b' ? unescapeString(rest[next++]?.text ?? '') : (rest[next++]?.text ?? ''),
    );
    if (next === before) break;
  }
  const hasCodes = /(?:\\x[0-9a-fA-F]{2}|\\0?[0-7]{3}){3}/.test(format.text);
  const printed = { text: built(text), taint: joined(c.args).taint | (hasCodes ? FROM.decoded : 0) };
  if (variable === undefined) return printed;
  c.setVariable(variable, printed);
  return { text: '', taint: 0 };
};

/** Input of a filter: its operand or what is piped in. */
function input(c: Call, withValue?: ReadonlySet<string>): Data {
  const file = readOptions(c.args, withValue).operands[0];
  return file === undefined ? (c.stdin ?? { text: HOLE, taint: 0 }) : readOperand(c, file);
}

function decoded(data: Data, decode: (text: string) => string | null): Data {
  const plain = isKnown(data) ? decode(data.text) : null;
  return { text: plain ?? HOLE, taint: data.taint | FROM.decoded };
}

const base64: Reader = (k) => {
  const withValue = k.words('with_value');
  const decodes = k.options('decodes');
  return (c) => {
    const data = input(c, withValue);
    if (readOptions(c.args, withValue).has(decodes)) return decoded(data, decodeBase64);
    return isKnown(data)
      ? { text: encodeBase64(data.text), taint: data.taint }
      : { text: HOLE, taint: data.taint | FROM.encoded };
  };
};

const hexadecimal: Reader = (k) => {
  const withValue = k.words('with_value');
  const decodes = k.options('decodes');
  const encodes = k.options('encodes');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const data = input(c, withValue);
    if (options.has(decodes)) return decoded(data, decodeHex);
    return isKnown(data) && options.has(encodes)
      ? { text: encodeHex(data.text), taint: data.taint }
      : { text: HOLE, taint: data.taint | FROM.encoded };
  };
};

/** `string unescape`, `string join`, `string replace` of fish: they make texts of texts. */
const fishString: Reader = (k) => {
  const withValue = k.words('with_value');
  const decodes = k.words('decodes');
  const style = k.options('style');
  return (c) => {
    const options = readOptions(c.args.slice(1), withValue);
    const [verb = ''] = c.args.map(({ text }) => text);
    const texts = options.operands.length > 0 ? options.operands : [c.stdin ?? { text: HOLE, taint: 0 }];
    if (decodes.has(verb)) return decoded(joined(texts), (text) => unescaped(text, options.value(style)));
    const [first, ...rest] = texts;
    if (verb.startsWith('join') && first !== undefined && rest.length > 0)
      return { ...joined(rest), text: built(rest.map(({ text }) => text).join(verb === 'join' ? first.text : '')) };
    if (verb !== 'replace' || rest[1] === undefined || !texts.every(isKnown))
      return { text: HOLE, taint: joined(texts).taint };
    return { text: built(rest[1].text.replaceAll(first!.text, rest[0]!.text)), taint: joined(texts).taint };
  };
};

/** `%41` of addresses, `_41_` of variables, the escapes of scripts. */
function unescaped(text: string, style: string): string {
  const byte = (_all: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));
  if (style === 'url') return text.replace(/%([0-9a-f]{2})/gi, byte);
  if (style === 'var') return text.replace(/_([0-9A-F]{2})_?/g, byte);
  return unescapeString(text);
}

/** `n-za-m`: an alphabet that does not begin at its beginning. Upper and lower case do. */
const SHIFTS_LETTERS = /[b-zB-Z]-[zZ]/;

/** The characters that a set of `tr` names, ranges and escapes spelt out. */
function charactersOf(set: string): string[] {
  const named = unescapeString(set).replaceAll('[:lower:]', 'a-z').replaceAll('[:upper:]', 'A-Z');
  return [
    ...named.slice(0, 256).replace(/(.)-(.)/gs, (range, a: string, b: string) => {
      const [first, last] = [a.codePointAt(0)!, b.codePointAt(0)!];
      if (last < first || last - first > 128) return range;
      return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
    }),
  ];
}

function translated(data: string, from: readonly string[], to: readonly string[]): string {
  const places = new Map(from.map((sign, i) => [sign, to[Math.min(i, to.length - 1)] ?? sign]));
  return [...data].map((sign) => places.get(sign) ?? sign).join('');
}

const translate: Reader = (k) => {
  const deletes = k.options('deletes');
  return (c) => {
    const data = c.stdin ?? { text: HOLE, taint: 0 };
    const options = readOptions(c.args);
    const [from, to] = options.operands.map((o) => o.text);
    if (from === 'A-Za-z' && to === 'N-ZA-Mn-za-m') return decoded(data, rot13);
    if (isKnown(data) && from !== undefined && to !== undefined && !c.args[0]!.text.startsWith('-'))
      return {
        text: translated(data.text, charactersOf(from), charactersOf(to)),
        taint: data.taint | (SHIFTS_LETTERS.test(to) ? FROM.decoded : 0),
      };
    if (isKnown(data) && from !== undefined && options.has(deletes))
      return { ...data, text: [...data.text].filter((ch) => !unescapeString(from).includes(ch)).join('') };
    return { text: HOLE, taint: data.taint };
  };
};

const compress: Reader = (k) => {
  const withValue = k.words('with_value');
  const unpackers = k.words('unpackers');
  const decompresses = k.options('decompresses');
  return (c) => {
    const data = input(c, withValue);
    const isUnpacking = unpackers.has(c.name) || readOptions(c.args, withValue).has(decompresses);
    const isDecoded = isUnpacking && (c.stdin?.taint ?? 0) & FROM.decoded;
    return { text: HOLE, taint: data.taint | (isDecoded ? FROM.decoded : 0) };
  };
};

const changeFolder: Reader = () => (c) => {
  const to = readOptions(c.args).operands[0]?.text ?? '~';
  if (!to.includes(HOLE) && to !== '-') c.world.cwd = c.world.describe(to).path;
  return { text: '', taint: 0 };
};

/** `env A=1 -u B command`: sets the variables and runs the command; without one, prints the environment. */
function runInEnvironment(c: Call): Data {
  const args = [...c.args];
  while (args[0] !== undefined && /^(?:-\w*|-S.*|--[\w-]+(?:=.*)?|\w+=.*)$/s.test(args[0].text)) {
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
    if (args.shift()!.text === '-u') args.shift();
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
  const hidden = code.taint & (FROM.network | FROM.decoded);
  runMaterial(c, code);
  if (hidden !== 0 || code.text === HOLE) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  if (code.text === HOLE) return { text: HOLE, taint: code.taint };
  return c.evaluate(code);
};

const source: Reader = () => (c) => {
  const file = c.args[0];
  const given = file?.content ?? (file !== undefined && inputFiles(c.world.ontology).has(file.text) ? c.stdin : null);
  if (given !== null && given !== undefined) {
    if (isKnown(given) && given.taint === 0) return c.evaluate(given);
    runMaterial(c, given);
    runText(c.world, 'shell', given, c.excerpt);
  } else if (file !== undefined) runFile(c.world, file.text, 'shell', c.excerpt);
  return undefined;
};

const trap: Reader = () => (c) => {
  const code = c.args[0];
  return code === undefined || code.text === '-' ? undefined : c.evaluate(code);
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

const makeTemporary: Reader = () => (c) => {
  c.world.add('writes', 'scratch', '/tmp', c.excerpt);
  return { text: `/tmp/${HOLE}`, taint: 0 };
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

const clearFile: Reader = () => (c) => {
  const target = readOptions(c.args).operands[0];
  if (target !== undefined) deletePath(c.world, target.text, c.excerpt, false, target.hasGlob);
  return undefined;
};

export const TEXT_READERS: Readers = {
  silent: () => () => ({ text: '', taint: 0 }),
  place: () => (c) => placeOf(readOptions(c.args).operands),
  quiet: () => () => ({ text: HOLE, taint: 0 }),
  echo,
  printf,
  base64,
  hexadecimal,
  reverse: () => (c) => decoded(input(c), reversed),
  translate,
  fish_string: fishString,
  compress,
  uudecode: () => (c) => decoded(input(c), () => null),
  change_folder: changeFolder,
  environment: () => runInEnvironment,
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
  make_temporary: makeTemporary,
  repeat_forever: () => () => ({ text: HOLE, taint: FROM.endless }),
  run_command: runCommand,
  clear_file: clearFile,
};
