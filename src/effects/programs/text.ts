/** Builtins and filters that make, decode and hand on text. */

import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64, decodeHex, encodeBase64, encodeHex, reversed, rot13, unescapeString } from '../decode.ts';
import { deletePath, runFile, runText } from '../deeds.ts';
import { type Call, type Program, type ProgramTable, programTable, readOptions } from '../shell/call.ts';
import { ENVIRONMENT_TEXT, readOperand } from './read-files.ts';

const joined = (args: readonly Data[]): Data => ({
  text: args.map((a) => a.text).join(' '),
  taint: args.reduce((t, a) => t | a.taint, 0),
});

const echo: Program = (c) => {
  const isEscaped = c.args[0]?.text === '-e' || c.args[0]?.text === '-ne' || c.args[0]?.text === '-en';
  const shown = joined(c.args[0] !== undefined && /^-[neE]+$/.test(c.args[0].text) ? c.args.slice(1) : c.args);
  if (!isEscaped || !shown.text.includes('\\')) return shown;
  // Letters written as codes hide what is printed; line ends and tabs do not.
  return {
    text: unescapeString(shown.text),
    taint: shown.taint | (/(?:\\x[0-9a-f]{2}|\\0?[0-7]{3}){3}/i.test(shown.text) ? FROM.decoded : 0),
  };
};

const printf: Program = (c) => {
  const [format, ...rest] = c.args;
  if (format === undefined) return undefined;
  const hasCodes = /(?:\\x[0-9a-fA-F]{2}|\\0?[0-7]{3}){3}/.test(format.text);
  let next = 0;
  const text = unescapeString(format.text).replace(/%[-+0-9.]*([sdbqcx%])/g, (_m, kind: string) =>
    kind === '%' ? '%' : (rest[next++]?.text ?? ''),
  );
  return { text, taint: joined(c.args).taint | (hasCodes ? FROM.decoded : 0) };
};

/** Input of a filter: its operand or what is piped in. */
function input(c: Call, valued = ''): Data {
  const file = readOptions(c.args, valued).operands[0];
  return file === undefined ? (c.stdin ?? { text: HOLE, taint: 0 }) : readOperand(c, file);
}

function decoded(data: Data, decode: (text: string) => string | null): Data {
  const plain = isKnown(data) ? decode(data.text) : null;
  return { text: plain ?? HOLE, taint: data.taint | FROM.decoded };
}

const base64: Program = (c) => {
  const data = input(c, 'w wrap i o');
  const isDecode = readOptions(c.args, 'w wrap i o').has('d', 'D', 'decode');
  return isDecode
    ? decoded(data, decodeBase64)
    : { text: isKnown(data) ? encodeBase64(data.text) : HOLE, taint: data.taint };
};

const xxd: Program = (c) => {
  const options = readOptions(c.args, 'c l s g o');
  const data = input(c, 'c l s g o');
  return options.has('r')
    ? decoded(data, decodeHex)
    : { text: isKnown(data) && options.has('p') ? encodeHex(data.text) : HOLE, taint: data.taint };
};

/** `n-za-m`: an alphabet that does not begin at its beginning. Upper and lower case do. */
const SHIFTS_LETTERS = /[b-zB-Z]-[zZ]/;

/** The signs that a set of `tr` names: ranges and escapes spelt out. */
function signsOf(set: string): string[] {
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

const tr: Program = (c) => {
  const data = c.stdin ?? { text: HOLE, taint: 0 };
  const [from, to] = readOptions(c.args).operands.map((o) => o.text);
  if (from === 'A-Za-z' && to === 'N-ZA-Mn-za-m') return decoded(data, rot13);
  if (isKnown(data) && from !== undefined && to !== undefined && !c.args[0]!.text.startsWith('-'))
    return {
      text: translated(data.text, signsOf(from), signsOf(to)),
      taint: data.taint | (SHIFTS_LETTERS.test(to) ? FROM.decoded : 0),
    };
  if (isKnown(data) && from !== undefined && readOptions(c.args).has('d'))
    return { ...data, text: [...data.text].filter((ch) => !unescapeString(from).includes(ch)).join('') };
  return { text: HOLE, taint: data.taint };
};

const gunzip: Program = (c) => {
  const data = input(c, 'S');
  const isUnpacking =
    /^(?:gunzip|bunzip2|unxz|zcat|gzcat)$/.test(c.name) || readOptions(c.args, 'S').has('d', 'decompress');
  return { text: HOLE, taint: data.taint | (isUnpacking && (c.stdin?.taint ?? 0) & FROM.decoded ? FROM.decoded : 0) };
};

const cd: Program = (c) => {
  const to = readOptions(c.args).operands[0]?.text ?? '~';
  if (!to.includes(HOLE) && to !== '-') c.world.cwd = c.world.describe(to).path;
  return { text: '', taint: 0 };
};

const env: Program = (c) => {
  const args = [...c.args];
  while (args[0] !== undefined && /^(?:-\w*|--[\w-]+(?:=.*)?|\w+=.*)$/s.test(args[0].text)) {
    const assigned = /^(\w+)=(.*)$/s.exec(args[0].text);
    if (assigned !== null) c.setVariable(assigned[1]!, { text: assigned[2]!, taint: args[0].taint });
    if (args.shift()!.text === '-u') args.shift();
  }
  if (args.length > 0) return c.invoke(args, c.stdin);
  c.world.add('reads', 'one', 'environment', c.excerpt);
  return { text: ENVIRONMENT_TEXT, taint: FROM.system };
};

const exportVariables: Program = (c) => {
  if (c.args.length === 0 && c.name !== 'local') return env(c);
  for (const a of readOptions(c.args).operands) {
    const assigned = /^(\w+)=(.*)$/s.exec(a.text);
    if (assigned !== null)
      c.world.variables[assigned[1]!] = { text: assigned[2]!.replace(/^(['"])(.*)\1$/s, '$2'), taint: a.taint };
  }
  return undefined;
};

const unset: Program = (c) => {
  for (const a of c.args) c.setVariable(a.text, null);
  return undefined;
};

const history: Program = (c) => {
  if (c.args.some((a) => /^-[acdrw]*[cdw]/.test(a.text)))
    c.world.add('tampers_with_logs', 'everything', 'shell history', c.excerpt);
  else c.world.add('reads_personal_data', 'one', 'shell history', c.excerpt);
  return undefined;
};

const set: Program = (c) => {
  if (c.args[0]?.text === '+o' && c.args[1]?.text === 'history')
    c.world.add('tampers_with_logs', 'one', 'shell history', c.excerpt);
  return undefined;
};

const alias: Program = (c) => {
  for (const a of c.args) {
    const m = /^([\w.-]+)=(.*)$/s.exec(a.text);
    if (m !== null) c.world.runDormant('shell', m[2]!.replace(/^(['"])(.*)\1$/s, '$2'));
    // A safe command's name that now does something else.
    if (
      m !== null &&
      /^(?:ls|cd|cat|sudo|ssh|git|rm|cp|mv|ps|su|passwd|curl|pip|python3?)$/.test(m[1]!) &&
      !m[2]!.replace(/^['"]/, '').startsWith(m[1]!)
    )
      c.world.add('persists', 'one', m[1]!, c.excerpt);
  }
  return undefined;
};

const evaluate: Program = (c) => {
  const code = joined(c.args);
  const hidden = code.taint & (FROM.network | FROM.decoded);
  if (hidden !== 0 || code.text === HOLE) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  if (code.text === HOLE) return { text: HOLE, taint: code.taint };
  return c.evaluate(code);
};

const source: Program = (c) => {
  const file = c.args[0];
  if (file?.content !== undefined) runText(c.world, 'shell', file.content, c.excerpt);
  else if (file !== undefined) runFile(c.world, file.text, 'shell', c.excerpt);
  return undefined;
};

const trap: Program = (c) => {
  const code = c.args[0];
  return code === undefined || code.text === '-' ? undefined : c.evaluate(code);
};

const read: Program = (c) => {
  const names = readOptions(c.args, 'p t n d u i a N').operands;
  for (const n of names)
    c.setVariable(n.text, {
      text: c.stdin !== null && c.stdin.taint & FROM.listing ? c.stdin.text : HOLE,
      taint: c.stdin?.taint ?? 0,
    });
  return { text: '', taint: 0 };
};

const mktemp: Program = (c) => {
  c.world.add('writes', 'scratch', '/tmp', c.excerpt);
  return { text: `/tmp/${HOLE}`, taint: 0 };
};

const yes: Program = () => ({ text: HOLE, taint: FROM.endless });
const quiet: Program = () => ({ text: HOLE, taint: 0 });
const command: Program = (c) => {
  const { operands } = readOptions(c.args, '', true);
  return operands.length === 0 || c.args.some((a) => /^-[vV]/.test(a.text))
    ? { text: HOLE, taint: 0 }
    : c.invoke(operands, c.stdin);
};

const clearScreen: Program = (c) => {
  const target = readOptions(c.args).operands[0];
  if (target !== undefined) deletePath(c.world, target.text, c.excerpt, false, target.hasGlob);
  return undefined;
};

export const TEXT_PROGRAMS: ProgramTable = programTable({
  'true false : test [ wait sleep exit return break continue shift date cal pwd whoami id groups logname basename dirname uname hostname arch nproc seq expr bc clear tput man help which whereis apropos logger mkpasswd uuidgen locale tty stty ulimit umask getopts let times jobs fg bg disown dircolors numfmt':
    quiet,
  'echo write-output write-host': echo,
  printf,
  'base64 base32 basenc': base64,
  xxd,
  rev: (c) => decoded(input(c), reversed),
  tr,
  'gunzip gzip bunzip2 bzip2 unxz xz zstd': gunzip,
  uudecode: (c) => decoded(input(c), () => null),
  'cd pushd chdir set-location': cd,
  'env printenv': env,
  'export declare typeset readonly local setx': exportVariables,
  unset,
  history,
  set,
  alias,
  eval: evaluate,
  'source .': source,
  trap,
  'read mapfile readarray': read,
  mktemp,
  yes,
  'command builtin exec': command,
  'clear-content': clearScreen,
});
