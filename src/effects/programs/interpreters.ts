/** Interpreters of languages that have a reader here: they run code given as an argument, as a file, or piped in. */

import { startShell } from '../connections.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import { decodeBase64 } from '../decode.ts';
import { fetchFrom, handKeys } from '../deeds/network.ts';
import { runFile, runText } from '../deeds/run-code.ts';
import { type Call, type Field, field, inputFiles, lineOf, type Program, readOptions } from '../shell/call.ts';
import { fromFish } from '../shell/fish.ts';
import type { Language } from '../world.ts';
import { noteOrigins } from './fetching/code-origins.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { noteDatabaseWipe } from './unlisted/database-wipes.ts';
import { runForeign } from './unlisted/foreign.ts';
import { noteCodeAddresses } from './unlisted/handed-code.ts';
import { runMaterial } from './unlisted/material.ts';
import { codeOptions } from './unlisted/unlisted.ts';

/** A program that runs code of a language: from an option, an operand, or what is piped in. */
function interpreter(k: Knowledge, language: Language): Program {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const interactive = language === 'shell' ? k.options('interactive') : [];
  const fromInput = language === 'shell' ? k.options('from_input') : [];
  const loads = language === 'shell' ? k.options('loads') : [];
  const fish = k.wordsOrNone('fish');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const given = options.values(codeOptions)[0];
    // The grammar of fish is known by its name even where the code has none of its signs.
    const code = given !== undefined && fish.has(c.name) ? { ...given, text: fromFish(given.text) } : given;
    // Code that an interactive shell runs before anything else.
    for (const start of options.values(loads))
      if (start.content !== undefined) runGiven(c, language, start.content);
      else runFile(c.world, start.text, language, c.excerpt);
    noteCodeAddresses({ ...c, args: c.args.slice(0, c.args.length - options.operands.length) }, true);
    // With such an option the operands are arguments of the script that is piped in: `| bash -s -- --quiet`.
    const file = c.stdin !== null && options.has(fromInput) ? undefined : options.operands[0];
    if (code !== undefined) passArguments(c, options.operands);
    if (code !== undefined) runGiven(c, language, code);
    else if (file?.content !== undefined) runGiven(c, language, file.content);
    else if (
      file !== undefined &&
      file.text !== '-' &&
      !(c.stdin !== null && inputFiles(c.world.ontology).has(file.text))
    ) {
      if (file.taint & (FROM.network | FROM.service)) c.world.add('downloads_and_runs', 'one', file.text, c.excerpt);
      runFile(c.world, file.text, language, c.excerpt);
      handKeys(c.world, c.args, c.excerpt);
      runCommandOf(c, options.operands.slice(1));
    } else if (c.stdin !== null) runGiven(c, language, c.stdin);
    else if (language === 'shell') startShell(c.world, c.excerpt);
    return { text: HOLE, taint: (c.stdin?.taint ?? 0) | (options.has(interactive) ? FROM.interactive : 0) };
  };
}

/** What a program of the project is told: code (`manage.py shell -c 'code'`), or a command that empties its database. */
export function runCommandOf(c: Call, args: readonly Field[]): void {
  noteDatabaseWipe(c, args, true);
  const { short, withValue } = codeOptions(c.world.ontology);
  for (const [i, { text }] of args.entries()) {
    const code = short.test(text) ? args[i + 1]?.text : withValue.exec(text)?.[1];
    if (code !== undefined) runForeign(c, code);
  }
}

/**
 * Code that is handed over. What is only known when it runs decides what runs. In double quotes the shell puts its own variables in
 * place of the variables of the code, which anyone who writes such a line overlooks: `powershell -c "$s = …"`. The code as it is
 * written is read too.
 */
function runGiven(c: Call, language: Language, code: Data & { quoted?: string }): void {
  if (language === 'shell') runMaterial(c, code);
  if (code.text === HOLE && (code.taint & (FROM.network | FROM.socket | FROM.service)) === 0)
    c.world.unresolved ||= c.excerpt;
  runText(c.world, language, code, c.excerpt);
  if (code.quoted !== undefined && code.text.includes(HOLE)) c.world.run(language, code.quoted);
}

/** The words after the code are its `$0`, `$1`, …; ten of them are kept. */
function passArguments(c: Call, operands: readonly Field[]): void {
  for (const [i, o] of operands.entries())
    if (i < 10) c.world.variables.set(String(i), { text: o.text, taint: o.taint });
}

const python: Reader = (k) => {
  const withValue = k.words('with_value');
  const moduleOptions = k.options('module');
  const packageModules = k.words('package_modules');
  const codeModules = k.words('code_modules');
  const fileModules = k.words('file_modules');
  const withValueOfModule = k.words('with_value_of_module');
  const codeOfModule = k.options('code_of_module');
  const runsCode = interpreter(k, 'python');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const module = options.value(moduleOptions);
    if (module === '') return runsCode(c);
    if (packageModules.has(module)) return c.invoke([field(module), ...options.operands], c.stdin);
    c.world.add('runs_code', 'one', `python -m ${module}`, c.excerpt);
    if (codeModules.has(module) || fileModules.has(module)) {
      const at = c.args.findIndex(({ text }) => text === module || text.endsWith(`m${module}`));
      const given = readOptions(c.args.slice(at + 1), withValueOfModule, true);
      // A debugger takes its commands with the code behind them: `!import os`.
      for (const code of given.values(codeOfModule)) runText(c.world, 'python', statementOf(code), c.excerpt);
      if (codeModules.has(module)) for (const code of given.operands) runText(c.world, 'python', code, c.excerpt);
      else if (given.operands.length > 0) runFile(c.world, given.operands.at(-1)!.text, 'python', c.excerpt);
      else if (c.stdin !== null) runText(c.world, 'python', c.stdin, c.excerpt);
    }
    return { text: HOLE, taint: 0 };
  };
};

const statementOf = (code: Field): Data => ({ text: code.text.replace(/^\s{0,8}!/, ''), taint: code.taint });

const deno: Reader = (k) => {
  const evaluates = k.words('evaluates');
  const runs = k.words('runs');
  const node = interpreter(k, 'javascript');
  return (c) => {
    const [first, ...rest] = c.args;
    const verb = first?.text ?? '';
    if (evaluates.has(verb)) return node({ ...c, args: [field('-e'), ...rest] });
    if (runs.has(verb)) {
      const operands = rest.filter((r) => !r.text.startsWith('-'));
      // A map of imports says where the code of each module comes from.
      noteOrigins(
        c.world,
        rest.filter((r) => r.text.startsWith('-')),
        c.excerpt,
      );
      if (operands[0] === undefined || !noteOrigins(c.world, [operands[0]], c.excerpt))
        return node({ ...c, args: operands });
      return { text: HOLE, taint: FROM.network };
    }
    return c.invoke([field('npm'), ...c.args], c.stdin);
  };
};

/** `powershell -enc …` carries base64 of UTF-16; `-Command` the plain text. Options may be cut short. */
const powershell: Reader = (k) => {
  const checksOff = k.pattern('checks_off');
  const withValue = k.words('with_value');
  const helps = k.pattern('helps');
  return (c) => {
    for (let i = 0; i < c.args.length; i++) {
      const option = /^[-/\u2013]([a-z]+)$/i.exec(c.args[i]!.text)?.[1]?.toLowerCase();
      const next = c.args[i + 1];
      const rest = c.args.slice(i + (option === undefined ? 0 : 1));
      if (option === undefined || isOption(option, 'command')) {
        const isFile = option === undefined && /\.ps1$/i.test(c.args[i]!.text);
        if (isFile) runFile(c.world, c.args[i]!.text, 'powershell', c.excerpt);
        else runText(c.world, 'powershell', joined(rest), c.excerpt);
        const [only] = rest;
        if (rest.length === 1 && only!.quoted !== undefined && only!.text.includes(HOLE))
          c.world.run('powershell', only!.quoted);
        return undefined;
      }
      if (next === undefined) continue;
      if (isOption(option, 'encodedcommand') || option === 'ec') {
        const plain = decodeBase64(next.text);
        runText(c.world, 'powershell', { text: plain ?? HOLE, taint: next.taint | FROM.decoded }, c.excerpt);
        return undefined;
      }
      if (isOption(option, 'file')) {
        runFile(c.world, next.text, 'powershell', c.excerpt);
        return undefined;
      }
      if ((isOption(option, 'executionpolicy') || option === 'ep') && checksOff.test(next.text))
        c.world.add('bypasses_checks', 'one', 'execution policy', c.excerpt);
      if ([...withValue].some((name) => isOption(option, name)) || option === 'ep') i++;
    }
    if (c.stdin !== null) runText(c.world, 'powershell', c.stdin, c.excerpt);
    else if (!c.args.some((a) => helps.test(a.text))) startShell(c.world, c.excerpt);
    return undefined;
  };
};

function isOption(given: string, name: string): boolean {
  return name.startsWith(given);
}

/** The words of a command as the line that they were. */
function joined(fields: readonly Field[]): Data {
  return { text: fields.map((f) => f.text).join(' '), taint: fields.reduce((t, f) => t | f.taint, 0) };
}

/** `iex (iwr …)`: PowerShell's eval. */
const evaluateOfPowershell: Reader = (k) => {
  const downloads = k.pattern('downloads');
  return (c) => {
    const text = lineOf(c);
    const taint = c.args.reduce((t, a) => t | a.taint, c.stdin?.taint ?? 0);
    const url = /https?:\/\/[^\s'"]+/i.exec(text)?.[0];
    if (url !== undefined && downloads.test(text)) {
      const fetched = fetchFrom(c.world, url, c.excerpt);
      runText(c.world, 'powershell', { text: HOLE, taint: taint | fetched.taint }, c.excerpt);
    } else runText(c.world, 'powershell', { text: text === '' ? HOLE : text, taint }, c.excerpt);
    return undefined;
  };
};

const commandPrompt: Reader = (k) => {
  const code = k.words('code');
  const helps = k.words('helps');
  return (c) => {
    const at = c.args.findIndex((a) => code.has(a.text.toLowerCase()));
    if (at >= 0) runText(c.world, 'cmd', joined(c.args.slice(at + 1)), c.excerpt);
    else if (c.stdin !== null) runText(c.world, 'cmd', c.stdin, c.excerpt);
    else if (!c.args.some((a) => helps.has(a.text))) startShell(c.world, c.excerpt);
    return undefined;
  };
};

export const INTERPRETER_READERS: Readers = {
  shell: (k) => interpreter(k, 'shell'),
  python,
  javascript: (k) => interpreter(k, 'javascript'),
  deno,
  powershell,
  evaluate_of_powershell: evaluateOfPowershell,
  command_prompt: commandPrompt,
};
