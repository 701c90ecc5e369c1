/** Programs that run code given to them: as an argument, as a file, or piped in. */

import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { startShell } from '../connections.ts';
import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { decodeBase64, decodeHex } from '../decode.ts';
import { deletePath, destroyForGood, emptyPath, fetchFrom, runFile, runText } from '../deeds.ts';
import { OWN_DATABASE } from '../effects.ts';
import { hostOf, isLoopback } from '../hosts.ts';
import { type Call, type Field, field, inputFiles, lineOf, type Program, readOptions } from '../shell/call.ts';
import type { Language } from '../world.ts';
import { noteOrigins } from './code-origins.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { readByWords } from './unlisted/by-words.ts';
import { noteDatabaseWipe } from './unlisted/database-wipes.ts';
import { foreign, runEvaluated, runForeign, runForeignWords } from './unlisted/foreign.ts';
import { noteCodeAddresses } from './unlisted/handed-code.ts';
import { runMaterial } from './unlisted/material.ts';
import { codeOptions } from './unlisted/unlisted.ts';

/** A program that runs code of a language: from an option, an operand, or what is piped in. */
function interpreter(k: Knowledge, language: Language): Program {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const interactive = language === 'shell' ? k.options('interactive') : [];
  const fromInput = language === 'shell' ? k.options('from_input') : [];
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const code = options.values(codeOptions)[0];
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
      if (file.taint & FROM.network) c.world.add('downloads_and_runs', 'one', file.text, c.excerpt);
      runFile(c.world, file.text, language, c.excerpt);
      runCommandOf(c, options.operands.slice(1));
    } else if (c.stdin !== null) runGiven(c, language, c.stdin);
    else if (language === 'shell') startShell(c.world, c.excerpt);
    return { text: HOLE, taint: (c.stdin?.taint ?? 0) | (options.has(interactive) ? FROM.interactive : 0) };
  };
}

/** What a program of the project is told: code (`manage.py shell -c 'code'`), or a command that empties its database. */
function runCommandOf(c: Call, args: readonly Field[]): void {
  noteDatabaseWipe(c, args, true);
  const { short, withValue } = codeOptions(c.world.ontology);
  for (const [i, { text }] of args.entries()) {
    const code = short.test(text) ? args[i + 1]?.text : withValue.exec(text)?.[1];
    if (code !== undefined) runForeign(c, code);
  }
}

/**
 * Code that is handed over. What is only known when it runs decides what runs. In double quotes the shell puts its own variables in
 * place of the variables of the code, which whoever writes such a line overlooks: `powershell -c "$s = …"`. The code as it is
 * written is read too.
 */
function runGiven(c: Call, language: Language, code: Data & { quoted?: string }): void {
  if (language === 'shell') runMaterial(c, code);
  if (code.text === HOLE && (code.taint & (FROM.network | FROM.socket)) === 0) c.world.unresolved ||= c.excerpt;
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
  const runsCode = interpreter(k, 'python');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const module = options.value(moduleOptions);
    if (module === '') return runsCode(c);
    if (packageModules.has(module)) return c.invoke([field(module), ...options.operands], c.stdin);
    c.world.add('runs_code', 'one', `python -m ${module}`, c.excerpt);
    return { text: HOLE, taint: 0 };
  };
};

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
      if (operands[0] === undefined || !noteOrigins(c.world, [operands[0]], c.excerpt))
        return node({ ...c, args: operands });
      return { text: HOLE, taint: FROM.network };
    }
    return c.invoke([field('npm'), ...c.args], c.stdin);
  };
};

/** Interpreters without a grammar here: calls in their code are found by their names. */
const script: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const inPlace = k.patternOrNone('in_place');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const code = options.values(codeOptions)[0];
    const file = options.operands[0];
    if (inPlace !== null && c.args.some((a) => inPlace.test(a.text)))
      for (const f of options.operands) {
        if (leavesNothing(c, code?.text ?? '')) emptyPath(c.world, f.text, c.excerpt, f.hasGlob);
        c.world.add('writes', f.hasGlob ? 'many' : 'one', f.text, c.excerpt);
      }
    if (code !== undefined) {
      if (code.quoted !== undefined && code.text.includes(HOLE)) scanScript(c, { text: code.quoted, taint: 0 });
      return scanScript(c, code);
    }
    if (file?.content !== undefined) return scanScript(c, file.content);
    if (file !== undefined && file.text !== '-') {
      runFile(c.world, file.text, 'script', c.excerpt);
      runCommandOf(c, options.operands.slice(1));
    } else if (c.stdin !== null) scanScript(c, c.stdin);
    return { text: HOLE, taint: c.stdin?.taint ?? 0 };
  };
};

/** Whether the code leaves nothing of a file: it empties each line, or it runs for each line and prints none (`-n`). */
function leavesNothing(c: Call, code: string): boolean {
  const isSilent = c.args.some((a) => /^-(?!-)[a-zA-Z]{0,8}n[a-zA-Z]{0,8}$/.test(a.text));
  return LEAVES_NOTHING.test(code) || (isSilent && !scriptSigns(c.world.ontology).prints.test(code));
}

/** Code for each line after which nothing is left of it. */
const LEAVES_NOTHING =
  /^\s{0,8}(?:\$_\s{0,4}=\s{0,4}(?:""|''|undef|q\(\))|undef\s{0,4}\$_|s([/|#,])\.[*+]\1\1[a-z]{0,4})\s{0,4};?\s{0,8}$/;

export const scriptSigns = perOntology((ontology) => {
  const sign = (name: string) => patternOf(ontology, 'script_signs', name);
  const named = (list: string) => alternatives(listOf(ontology, list));
  return {
    // linear: the next quote of its kind closes a text, so that at most two scans reach the end of the code
    command: new RegExp(`\\b${named('script_commands')}\\s*(?:\\(\\s*)?(["'])((?:[^\\\\]|\\\\.)*?)\\1`, 'g'),
    // linear: as above
    deletion: new RegExp(`\\b(${named('script_deletions')})\\s*(?:\\(\\s*)?(["'])(.*?)\\2`, 'g'),
    deletes: new RegExp(`\\b(${named('script_deletions')})`),
    commandName: new RegExp(`\\b${named('script_commands')}\\b`),
    treeDeletions: new Set(listOf(ontology, 'script_tree_deletions')),
    socket: sign('socket'),
    shell: sign('shell'),
    fork: sign('fork'),
    loop: sign('loop'),
    asksPassword: sign('asks_password'),
    eval: sign('eval'),
    decodes: sign('decodes'),
    prints: sign('prints'),
  };
});

/** Perl, Ruby, PHP, Lua: commands they run and sockets they open stand in strings and names. */
function scanScript(c: Call, code: Data): Data {
  const signs = scriptSigns(c.world.ontology);
  const hidden = code.taint & (FROM.network | FROM.decoded);
  if (hidden !== 0) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  else c.world.add('runs_code', 'one', c.name, c.excerpt);
  const text = code.text;
  if (c.name !== 'osascript') c.world.run('script', text);
  for (const m of text.matchAll(/\bspawn\s+([a-z][^\]\n;"']{2,200})/g)) c.world.run('shell', m[1]!);
  runEvaluated(c, text);
  for (const m of text.matchAll(signs.command)) c.world.run('shell', m[2]!.replace(/\\(["'])/g, '$1'));
  for (const m of text.matchAll(/`([^`]{2,400})`|%x[({[]([^)}\]]{2,400})[)}\]]/g)) c.world.run('shell', m[1] ?? m[2]!);
  for (const m of text.matchAll(signs.deletion))
    c.world.run('shell', `rm ${signs.treeDeletions.has(m[1]!) ? '-rf ' : ''}'${m[3]}'`);
  noteScriptDeletions(c, text);
  if (signs.socket.test(text) && signs.shell.test(text)) {
    const host =
      hostOf(/["']([\w-]{1,63}(?:\.[\w-]{1,63}){1,16})(?::\d{1,5})?["']/.exec(text)?.[1] ?? '') ||
      hostOf(/["']([\w.:-]+)["']/.exec(text)?.[1] ?? '');
    c.world.noteHost(host);
    c.world.add('opens_channel', 'one', host, c.excerpt);
  }
  if (signs.asksPassword.test(text)) c.world.add('reads_credentials', 'many', 'password of a person', c.excerpt);
  if (signs.fork.test(text) && signs.loop.test(text))
    c.world.add('exhausts_resources', 'everything', 'fork', c.excerpt);
  if (signs.eval.test(text) && signs.decodes.test(text)) c.world.add('obfuscates', 'one', c.name, c.excerpt);
  return { text: HOLE, taint: code.taint };
}

/** Places in the code, where a function that deletes may get them in any way: `unlink glob "~/x/*"`. */
const PLACE = /["'`]((?:~|\.{0,2}\/|\$ENV\{HOME\}|[A-Za-z]:[\\/])[^"'`\n]{0,200})["'`]/g;

/** Deletions and commands whose arguments are not literals right behind their name. */
function noteScriptDeletions(c: Call, text: string): void {
  const { deletes, treeDeletions, commandName, decodes } = scriptSigns(c.world.ontology);
  const named = deletes.exec(text)?.[1];
  if (named !== undefined)
    for (const m of text.matchAll(PLACE))
      deletePath(c.world, m[1]!, c.excerpt, treeDeletions.has(named), /[*?]/.test(m[1]!));
  // Tcl has no quotes around its words.
  for (const m of text.matchAll(/\bfile\s{1,16}delete\s{1,16}(-force\s{1,16})?(?:--\s{1,16})?([^\s\]};"']{1,200})/g))
    deletePath(c.world, m[2]!, c.excerpt, m[1] !== undefined, /[*?]/.test(m[2]!));
  for (const m of text.matchAll(/\bexec\s+([a-z][^\]\n;"']{2,200})/g)) c.world.run('shell', m[1]!);
  // A function that is only named when the code runs may be one that runs commands.
  for (const m of text.matchAll(/\$\w{1,32}\s?\(\s?["']([^"'\n]{3,200})["']/g)) {
    c.world.unresolved ||= m[0];
    c.world.run('shell', m[1]!);
  }
  if (!commandName.test(text) || !decodes.test(text)) return;
  for (const m of text.matchAll(/["']([0-9a-fA-F]{16,400}|[A-Za-z0-9+/]{16,400}={0,2})["']/g)) {
    const plain = /^[0-9a-fA-F]+$/.test(m[1]!) ? decodeHex(m[1]!) : decodeBase64(m[1]!);
    if (plain !== null) runText(c.world, 'shell', { text: plain, taint: FROM.decoded }, c.excerpt);
  }
}

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

/** Clients of databases: the statement among their options, or piped in. */
const database: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const hostOptions = k.options('host');
  const fileOptions = k.options('file');
  const codeIsOperand = k.wordsOrNone('code_is_operand');
  return (c) => {
    const options = readOptions(c.args, withValue);
    c.world.noteHost(hostOf(options.value(hostOptions)) || hostOf(options.operands[0]?.text ?? ''));
    const given = [...options.values(codeOptions), ...(codeIsOperand.has(c.name) ? options.operands.slice(1) : [])];
    for (const code of given) runStatements(c, code);
    if (given.length === 0 && c.stdin !== null) runStatements(c, c.stdin);
    const file = options.value(fileOptions);
    if (file !== '') runFile(c.world, file, 'sql', c.excerpt);
    // Without statements its words say what is done: `bq rm -r shop`.
    if (given.length === 0 && c.stdin === null && file === '') readByWords(c, true);
    return { text: HOLE, taint: FROM.file };
  };
};

/** Statements, and the commands of a client that start a shell: `\\! ls`, `.shell ls`, `system ls`. */
function runStatements(c: Call, code: Data): void {
  if (code.taint & (FROM.network | FROM.socket | FROM.decoded)) runText(c.world, 'sql', code, c.excerpt);
  else c.world.run('sql', code.text);
  for (const m of code.text.matchAll(/(?:^|[\n;])\s{0,16}(?:\\!|\.shell|\.system|system)\s{1,16}([^\n]{2,400})/g))
    c.world.run('shell', m[1]!);
}

const mongo: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const deletesAll = k.pattern('deletes_all');
  const deletes = k.pattern('deletes');
  const writes = k.pattern('writes');
  return (c) => {
    const text = `${readOptions(c.args, withValue).value(codeOptions)} ${c.stdin?.text ?? ''}`;
    if (deletesAll.test(text)) destroyForGood(c.world, 'everything', 'database', c.excerpt);
    else if (deletes.test(text)) c.world.add('deletes', 'one', 'database', c.excerpt);
    else if (writes.test(text)) c.world.add('writes', 'one', 'database', c.excerpt);
    else c.world.add('reads', 'one', 'database', c.excerpt);
    return { text: HOLE, taint: FROM.file };
  };
};

const redis: Reader = (k) => {
  const deletesAll = k.pattern('deletes_all');
  const deletes = k.pattern('deletes');
  const changesSettings = k.pattern('changes_settings');
  const withValue = k.words('with_value');
  const hostOptions = k.options('host');
  return (c) => {
    const text =
      `${lineOf(c)} ${c.stdin?.text ?? ''} ${c.args.map(({ content }) => content?.text ?? '').join(' ')}`.toUpperCase();
    const options = readOptions(c.args, withValue);
    const place = options.value(hostOptions);
    // Without a place it is the one on this machine.
    const isOwn = place === '' || isLoopback(hostOf(place) || place);
    if (deletesAll.test(text)) destroyForGood(c.world, 'everything', isOwn ? OWN_DATABASE : 'database', c.excerpt);
    else if (deletes.test(text)) c.world.add('deletes', 'one', 'database', c.excerpt);
    else if (changesSettings.test(text)) c.world.add('writes_system', 'one', 'database settings', c.excerpt);
    return { text: HOLE, taint: FROM.file };
  };
};

const dumpDatabase: Reader = (k) => {
  const withValue = k.words('with_value');
  const hostOptions = k.options('host');
  return (c) => {
    const options = readOptions(c.args, withValue);
    c.world.noteHost(hostOf(options.value(hostOptions)));
    c.world.add('reads', 'many', options.operands.at(-1)?.text ?? 'database', c.excerpt);
    return { text: HOLE, taint: FROM.file | FROM.listing };
  };
};

/** `dropdb name`: the database of the tests is made anew each day, on the own machine. */
const dropDatabase: Reader = (k) => {
  const withValue = k.words('with_value');
  const hosts = k.options('host');
  const forTests = k.pattern('for_tests');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const name = options.operands.at(-1)?.text ?? 'database';
    const host = options.value(hosts);
    if (forTests.test(name) && (host === '' || isLoopback(host)) && !options.operands.some((o) => !isKnown(o)))
      c.world.add('deletes', 'one', name, c.excerpt);
    else destroyForGood(c.world, 'everything', name, c.excerpt);
    return undefined;
  };
};

/** As `script`, of a language whose grammar is not known here: the commands and places in its strings are read too. */
const foreignScript: Reader = (k) => {
  const run = script(k);
  return (c) => {
    const shown = run(c);
    runForeignWords(c);
    return shown;
  };
};

export const INTERPRETER_READERS: Readers = {
  shell: (k) => interpreter(k, 'shell'),
  python,
  javascript: (k) => interpreter(k, 'javascript'),
  deno,
  script,
  foreign_script: foreignScript,
  foreign,
  powershell,
  evaluate_of_powershell: evaluateOfPowershell,
  command_prompt: commandPrompt,
  database,
  mongo,
  redis,
  dump_database: dumpDatabase,
  drop_database: dropDatabase,
};
