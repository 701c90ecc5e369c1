/** Programs that run another command: with more rights, later, or once for each name. */

import { isObject, type JsonObject, parseJson } from '../../lang/json.ts';
import { setOf } from '../../ontology/words.ts';
import { FROM, HOLE, isKnown } from '../data.ts';
import { readFile } from '../deeds/read-file.ts';
import { runText } from '../deeds/run-code.ts';
import { type Field, field, programName, readOptions } from '../shell/call.ts';
import type { Reader, Readers } from './knowledge.ts';
import { runMaterial } from './unlisted/material.ts';

/** Names of which one command line is tried. */
const MAX_NAMES = 16;

const elevate: Reader = (k) => {
  const withValue = k.words('with_value');
  const user = k.options('user');
  const shell = k.options('shell');
  const asks = k.options('asks');
  const shells = k.words('shells');
  const preloaded = setOf(k.ontology, 'preloaded_variables');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const first = options.operands.findIndex((o) => !/^\w+=/.test(o.text));
    const rest = first < 0 ? [] : options.operands.slice(first);
    const account = options.value(user) || 'root';
    for (const { text, taint } of options.operands.slice(0, options.operands.length - rest.length)) {
      const at = text.indexOf('=');
      c.setVariable(text.slice(0, at), { text: text.slice(at + 1), taint });
    }
    // Code that is loaded into the program runs with its rights.
    const loaded = options.operands.find((o) => preloaded.has(o.text.slice(0, Math.max(0, o.text.indexOf('=')))));
    if (loaded !== undefined) c.world.add('escalates', 'one', loaded.text, c.excerpt);
    // One command that is named says itself what the rights are for; a shell takes them for whatever comes.
    const isOpen = rest.length === 0 ? !options.has(asks) : shells.has(programName(rest[0]!.text));
    c.world.add(isOpen ? 'escalates' : 'runs_as_another', 'one', account, c.excerpt);
    if (rest.length > 0) {
      const before = c.world.open_shells;
      const out = c.invoke(rest, c.stdin);
      // A program that has another task starts a shell, which keeps the rights: `sudo find . -exec sh \;`.
      if (!isOpen && c.world.open_shells > before) c.world.add('escalates', 'one', account, c.excerpt);
      return out;
    }
    if (c.stdin !== null && options.has(shell)) c.world.run('shell', c.stdin.text);
    return undefined;
  };
};

const switchUser: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const code = options.value(codeOptions);
    const account = options.operands.find((o) => o.text !== '-')?.text ?? 'root';
    c.world.add(code === '' ? 'escalates' : 'runs_as_another', 'one', account, c.excerpt);
    if (code !== '') c.world.run('shell', code);
    return undefined;
  };
};

/** Runs what an option gives as code, else the rest of the line behind its first operand, a file. */
const wrapOrCode: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const code = options.value(codeOptions);
    if (code !== '') c.world.run('shell', code);
    const rest = code === '' ? options.operands.slice(1) : [];
    return rest.length === 0 ? undefined : c.invoke(rest, c.stdin);
  };
};

/** Runs the rest of the line, after its own options and `skip` operands. */
const wrap =
  (skip: number): Reader =>
  (k) => {
    const withValue = k.words('with_value');
    return (c) => {
      const rest = readOptions(c.args, withValue, true).operands.slice(skip);
      return rest.length === 0 ? undefined : c.invoke(rest, c.stdin);
    };
  };

/** Runs a command as a unit of the system, at once or at times that its options give. */
const runAsUnit: Reader = (k) => {
  const withValue = k.words('with_value');
  const sets = k.options('sets');
  const schedules = k.options('schedules');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    if (options.operands.length === 0) return undefined;
    for (const { text, taint } of options.values(sets)) {
      const at = text.indexOf('=');
      if (at > 0) c.setVariable(text.slice(0, at), { text: text.slice(at + 1), taint });
    }
    if (schedules.some((name) => options.has([name]))) c.world.add('persists', 'one', 'timer', c.excerpt);
    return c.invoke(options.operands, c.stdin);
  };
};

/** `parallel rm -r ::: a b`: the command, and the names that follow it; `null` for what is not there. */
function splitNames(
  operands: readonly Field[],
  follow: { test(text: string): boolean } | null,
): { command: readonly Field[] | null; names: readonly Field[] | null } {
  const at = follow === null ? -1 : operands.findIndex((o) => follow.test(o.text));
  const command = at < 0 ? operands : operands.slice(0, at);
  const names = at < 0 ? null : operands.slice(at + 1).filter((o) => !follow!.test(o.text));
  return { command: command.length === 0 ? null : command, names };
}

const forEach: Reader = (k) => {
  const withValue = k.words('with_value');
  const namesFile = k.options('names_file');
  const placeholder = k.options('placeholder');
  const braces = k.options('braces');
  const runsLines = k.words('runs_lines');
  const namesFollow = k.pattern('names_follow');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const { command: own, names: listed } = splitNames(options.operands, runsLines.has(c.name) ? namesFollow : null);
    if (own === null && runsLines.has(c.name) && c.stdin !== null) {
      runMaterial(c, c.stdin);
      runText(c.world, 'shell', c.stdin, c.excerpt);
      return undefined;
    }
    const command = own ?? [field('echo')];
    const isOther = options.has(namesFile) && !/^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(options.value(namesFile));
    const data = isOther
      ? (options.values(namesFile)[0]?.content ?? readFile(c.world, options.value(namesFile), c.excerpt))
      : (c.stdin ?? { text: HOLE, taint: 0 });
    const hasBraces = options.has(braces) || (runsLines.has(c.name) && command.some((f) => f.text.includes('{}')));
    // `-i` takes a mark only where it is attached: `-i rm` runs rm.
    const attached = c.args.find((a) => /^-i./.test(a.text))?.text.slice(2) ?? '';
    const mark = options.value(placeholder) || attached || (hasBraces ? '{}' : '');
    const names =
      data.text.includes(HOLE) && !(data.taint & FROM.listing)
        ? [data.text]
        : data.text
            .split(mark === '' ? /\s+/ : /\n/)
            .filter((t) => t !== '')
            .slice(0, MAX_NAMES);
    const given = listed ?? names.map((n) => field(n, data.taint, true));
    // `parallel 'cmd {} >{}.log'`: a command line in one word.
    if (command.length === 1 && runsLines.has(c.name) && /\s/.test(command[0]!.text)) {
      const line = command[0]!.text;
      const filled = given
        .filter(isKnown)
        .map((g) => (mark === '' ? `${line} ${g.text}` : line.replaceAll(mark, g.text)));
      for (const one of filled.length === 0 ? [line] : filled.slice(0, MAX_NAMES)) c.world.run('shell', one);
    }
    if (mark === '') return c.invoke([...command, ...given], null);
    return c.invoke(
      command.flatMap((f) =>
        f.text.includes(mark) ? given.map((g) => ({ ...g, text: f.text.replaceAll(mark, g.text) })) : [f],
      ),
      null,
    );
  };
};

const repeat: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    const { operands } = readOptions(c.args, withValue, true);
    if (operands.length > 0) c.world.run('shell', operands.map((o) => o.text).join(' '));
    return undefined;
  };
};

/** A terminal that goes on without its user: a command of its own, or keys pressed in place of the user. */
const terminal: Reader = (k) => {
  const withValue = k.words('with_value');
  const withValueOfVerb = k.words('with_value_of_verb');
  const withVerb = k.words('with_verb');
  const runs = k.words('runs');
  const keys = k.words('keys');
  return (c) => {
    const { operands } = readOptions(c.args, withValue, true);
    const isVerbFirst = withVerb.has(c.name);
    if (isVerbFirst && !runs.has(operands[0]?.text ?? '')) return undefined;
    const rest = isVerbFirst ? operands.slice(1) : operands;
    const command = readOptions(rest, withValueOfVerb, true).operands.filter((o) => !keys.has(o.text));
    if (command.length === 1) c.world.run('shell', command[0]!.text);
    else if (command.length > 1) c.invoke(command, c.stdin);
    return undefined;
  };
};

/** Calls a tool of a server as an agent does: `mcp-cli call mail/send_message '{"to": "…"}'`, `mcporter call mail.send_message to=…`. */
const callsTool: Reader = (k) => {
  const withValue = k.words('with_value');
  const calls = k.words('calls');
  const given = k.options('given');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const words = options.operands.map(({ text }) => text);
    const at = words.findIndex((word) => calls.has(word));
    const [first = '', second = '', ...rest] = at < 0 ? [] : words.slice(at + 1);
    if (first === '') return undefined;
    const isPair = /^[\w-]{1,128}$/.test(first) && /^[\w-]{1,128}$/.test(second);
    const name = isPair ? `${first}.${second}` : first.replaceAll('/', '.');
    if (name.includes(HOLE)) c.world.unresolved ||= c.excerpt;
    const told = [...options.values(given).map(({ text }) => text), ...(isPair ? rest : [second, ...rest])];
    const kept = told.filter((word) => c.world.keepsText(word));
    c.world.noteToolCall({ name, parameters: Object.assign({}, ...kept.map(parametersIn)), is_told: true });
    return { text: HOLE, taint: FROM.network };
  };
};

/** What one word gives to a tool: an object as JSON, `name=value` or `name:value`; nothing for any other word. */
function parametersIn(word: string): JsonObject {
  const text = word.replaceAll(HOLE, '…');
  const [, name = '', value = ''] = /^([A-Za-z_][\w.-]{0,64})(?:[=:])(.*)$/s.exec(text) ?? [];
  if (name !== '') return { [name]: value };
  const read = parseJson(text);
  return isObject(read) ? read : {};
}

export const WRAPPING_READERS: Readers = {
  elevate,
  switch_user: switchUser,
  wrap: wrap(0),
  run_as_unit: runAsUnit,
  wrap_after_operand: wrap(1),
  wrap_or_code: wrapOrCode,
  for_each: forEach,
  repeat,
  terminal,
  calls_tool: callsTool,
};
