/** Programs that make, encode, decode and hand on text: `echo`, `printf`, `base64`, `tr` and other filters. */

import { built, type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64, decodeHex, encodeBase64, encodeHex, reversed, rot13, unescapeString } from '../decode.ts';
import { deletePath } from '../deeds/delete-file.ts';
import { type Call, readOptions } from '../shell/call.ts';
import { readOperand } from './files/read-files.ts';
import type { Reader, Readers } from './knowledge.ts';

/** Words as one text, with blanks between them. */
export const joined = (args: readonly Data[]): Data => ({
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

const makeTemporary: Reader = () => (c) => {
  c.world.add('writes', 'scratch', '/tmp', c.excerpt);
  return { text: `/tmp/${HOLE}`, taint: 0 };
};

const clearFile: Reader = () => (c) => {
  const target = readOptions(c.args).operands[0];
  if (target !== undefined) deletePath(c.world, target.text, c.excerpt, false, target.hasGlob);
  return undefined;
};

export const TEXT_READERS: Readers = {
  silent: () => () => ({ text: '', taint: 0 }),
  quiet: () => () => ({ text: HOLE, taint: 0 }),
  identity: () => () => ({ text: HOLE, taint: FROM.machine }),
  echo,
  printf,
  base64,
  hexadecimal,
  reverse: () => (c) => decoded(input(c), reversed),
  translate,
  fish_string: fishString,
  compress,
  uudecode: () => (c) => decoded(input(c), () => null),
  make_temporary: makeTemporary,
  repeat_forever: () => () => ({ text: HOLE, taint: FROM.endless }),
  clear_file: clearFile,
};
