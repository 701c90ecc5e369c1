/** SQL with effects beyond tables: on files and commands of the server, other hosts, settings, logs and sessions. */
import { type Data, FROM, HOLE } from '../data.ts';
import { codePoint, decodeHex } from '../decode.ts';
import { sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import { hostOf } from '../hosts.ts';
import { noteJob, runBody } from './sql-code.ts';
import { add, head, nameAfter, type Statement, set, wordsOf } from './sql-statement.ts';
import { findWord, type Token } from './sql-tokens.ts';

/** `COPY … TO PROGRAM` runs a command, `TO 'file'` writes a file on the server, `FROM 's3://…'` loads from a bucket. */
export function copy(s: Statement): void {
  const program = s.tokens.findIndex((t) => t.text === 'PROGRAM');
  const table = s.tokens[1]?.text === '(' ? 'query' : nameAfter(s, 'COPY');
  const direction = findWord(s.tokens, s.tokens[1]?.text === 'INTO' ? set('INTO') : set('TO FROM'));
  const place = s.tokens[direction + 1];
  if (program >= 0) {
    add(s, 'runs_code', 'one', 'database server');
    add(s, 'escalates', 'one', 'database server');
    s.world.run('shell', s.tokens[program + 1]?.text ?? '');
    return;
  }
  if (unloads(s)) {
    add(s, 'reads', 'many', nameAfter(s, 'FROM'));
    sendTo(s.world, unloadedTo(s), { text: HOLE, taint: FROM.file }, s.text, 'many');
    return;
  }
  add(s, s.tokens[direction]?.text === 'FROM' ? 'writes' : 'reads', 'many', table);
  if (place?.kind !== 'string') return;
  if (s.tokens[direction]!.text === 'FROM') readFile(s.world, place.text, s.text);
  else if (/^\w+:\/\//.test(place.text))
    sendTo(s.world, place.text.replace(/^\w+:\/\//, ''), { text: HOLE, taint: FROM.file }, s.text, 'many');
  else writeFile(s.world, place.text, writtenBy(s.tokens.slice(0, direction)), s.text);
}

/** `COPY INTO 's3://…' FROM table`, `COPY INTO @stage FROM table`: a place in front of the table takes its rows. */
const unloads = (s: Statement): boolean => s.tokens[1]?.text === 'INTO' && isPlace(s);

function isPlace({ tokens }: Statement): boolean {
  const [, , place, next] = tokens;
  return place?.text.startsWith('@') === true || /^\w+:\/\//.test(place?.text ?? '') || next?.text === ':';
}

const unloadedTo = ({ tokens }: Statement): string => (tokens[2]?.text ?? '').replace(/^\w+:\/\//, '');

/** Calls of stored procedures, operating-system commands, SQL in strings and anonymous blocks. */
export function execute(s: Statement, verb: string): void {
  if (runBody(s)) return;
  const name = nameAfter(s, verb);
  const { procedures, statement_opening } = wordsOf(s);
  if (procedures.commands.test(name)) {
    add(s, 'runs_code', 'one', name);
    add(s, 'escalates', 'one', name);
    for (const t of s.tokens) if (t.kind === 'string') s.world.run('shell', t.text);
    return;
  }
  if (procedures.guards.test(name)) {
    add(s, 'tampers_with_guards', 'one', name);
    return;
  }
  if (procedures.memberships.test(name)) {
    add(s, 'escalates', 'one', name);
    return;
  }
  if (procedures.looks.test(name)) {
    add(s, 'reads', 'one', name);
    return;
  }
  const code = s.tokens.filter((t) => t.kind === 'string' && statement_opening.test(t.text.trimStart()));
  for (const c of code) s.world.run('sql', plainBlock(c.text));
  const isVariable = s.tokens[1]?.text === '(' || s.tokens.length <= 2 || name.endsWith('sp_executesql');
  if (code.length === 0 && !(s.executes_known === true && isVariable)) add(s, 'runs_code', 'one', name);
}

/** A statement that is executed with names put in: `EXECUTE format('DROP TABLE %I', name)`, `EXECUTE 'DROP TABLE ' || name`. */
const FORMATTED =
  /\bexecute\s{1,64}(?:immediate\s{1,64})?(?:format\s{0,8}\(\s{0,64})?(?:\$(\w{0,16})\$([^$]{0,4000})\$\1\$)/gi;

/** A template with its values, in a block that executes what it makes of them: `format('%s TABLE %I', 'TRUNCATE', c.relname)`. */
const FILLED = /\bformat\s{0,8}\(\s{0,16}'([^']{0,2000}%s[^']{0,2000})'\s{0,16},([^()]{0,1000})\)/gi;

function filled(_all: string, template: string, list: string): string {
  const values = list.split(',').map((value) => /^\s{0,16}'([^']{0,200})'\s{0,16}$/.exec(value)?.[1] ?? 'x');
  let at = 0;
  return `;${template.replace(/%[ILs]/g, () => values[at++] ?? 'x')};`;
}

/** Unfolds a block into statements: those inside `BEGIN … END`, and those in the strings that it executes. */
function plainBlock(given: string): string {
  const body = /\bexecute\s/i.test(given)
    ? given.replace(/'\s{0,16}\|\|\s{0,16}'/g, '').replace(FILLED, filled)
    : given;
  return body
    .replace(/\bbegin\b/gi, ';')
    .replace(
      /\bexecute\s{1,64}(?:immediate\s{1,64})?'((?:[^']|''){0,4000})'/gi,
      (_all, inner: string) => `;${inner.replaceAll("''", "'")};`,
    )
    .replace(
      FORMATTED,
      (_all, _tag, quoted?: string, dollared?: string) =>
        `;${(quoted ?? dollared ?? '').replace(/%\d?\$?[ILs]/g, 'x')};`,
    )
    .replace(/\bloop\b/gi, ';');
}

/** Notes functions with effects outside the database, at any position in a statement. */
export function noteFunctions(s: Statement): void {
  const { functions } = wordsOf(s);
  for (const [i, t] of s.tokens.entries()) {
    if (t.kind !== 'word' && t.kind !== 'name') continue;
    const argument = s.tokens.slice(i + 1, i + 4).find((n) => n.kind === 'string')?.text ?? '';
    if (functions.read_file.test(t.text)) readFile(s.world, argument === '' ? HOLE : argument, s.text);
    if (functions.write_file.test(t.text) && s.tokens[i + 1]?.text === '(') writeNamed(s, i);
    if (functions.connect.test(t.text)) {
      s.world.noteHost(hostOf(argument) || (/host=([\w.-]+)/.exec(argument)?.[1] ?? ''));
      add(s, 'sends_out', 'one', argument);
    }
    if (functions.run.test(t.text) && argument !== '' && head(s) !== 'EXEC') s.world.run('shell', argument);
    noteJob(s, i);
    if (s.tokens[i + 1]?.text === '(' || s.tokens[i + 1]?.text === '.') noteCall(s, t.text, argument);
    // Without a condition, the sessions of everybody end.
    if (functions.end_sessions.has(t.text))
      add(
        s,
        'disrupts',
        nameAfter(s, 'FROM') !== '' && findWord(s.tokens, set('WHERE')) < 0 ? 'everything' : 'one',
        'sessions',
      );
    if (functions.wait.has(t.text) && s.tokens[i + 1] !== undefined) {
      // A short wait changes nothing but the time that a connection is held.
      const isLong = Number(s.tokens[i + 2]?.text) >= 60;
      add(s, isLong ? 'exhausts_resources' : 'writes', 'one', t.text.toLowerCase());
    }
  }
}

/** What a statement writes to a file, as far as it says so itself: its texts, also those in hexadecimal digits and by numbers. */
export function writtenBy(tokens: readonly Token[]): Data {
  const from = findWord(tokens, set('FROM'));
  if (from >= 0) return { text: HOLE, taint: FROM.file };
  let text = '';
  for (const [i, { kind, text: part }] of tokens.entries()) {
    const before = tokens[i - 1]?.text.toUpperCase() ?? '';
    const isDigits =
      /^(?:0x)(?:[0-9a-f]{2}){4,20000}$/i.test(part) ||
      ((before === 'X' || before === 'UNHEX' || tokens[i - 2]?.text.toUpperCase() === 'UNHEX') && kind === 'string');
    if (isDigits) text += decodeHex(part) ?? '';
    else if (kind === 'string') text += part;
    else if (kind === 'number' && before === '(' && /^CHA?R$/i.test(tokens[i - 2]?.text ?? ''))
      text += codePoint(Number(part));
  }
  return text === '' ? { text: HOLE, taint: FROM.file } : { text, taint: 0 };
}

/** `writefile(path, content)`: path and content are the arguments, in the order that the function has. */
function writeNamed(s: Statement, at: number): void {
  const rest = s.tokens.slice(at + 2);
  const path = rest.find(({ kind }) => kind === 'string');
  if (path === undefined) return;
  const after = rest.slice(rest.indexOf(path) + 1);
  writeFile(s.world, path.text, writtenBy(after), s.text);
}

/** Functions that do more than compute, by what they do. */
function noteCall(s: Statement, name: string, argument: string): void {
  const { functions, settings } = wordsOf(s);
  if (functions.machine.test(name)) add(s, 'escalates', 'one', name.toLowerCase());
  if (functions.changes.test(name)) add(s, 'writes', 'one', name.toLowerCase());
  if (functions.run_text.test(name) && argument !== '') s.world.run('sql', argument);
  if (!functions.settings.test(name)) return;
  const text = s.text.replace(/\s+/g, ' ');
  if (settings.checks_off.test(text)) add(s, 'bypasses_checks', 'one', argument);
  else if (settings.guards_off.test(text)) add(s, 'tampers_with_guards', 'one', argument);
  else add(s, 'writes', 'one', argument);
}

/** `archive_command = '…'`: a command that the server runs by itself from that point on. */
function runOfServer(s: Statement, setting: RegExp): void {
  const at = s.tokens.findIndex((t) => setting.test(t.text));
  const command = s.tokens.slice(at + 1).find((t) => t.kind === 'string')?.text ?? '';
  add(s, 'writes', 'one', s.tokens[at]?.text.toLowerCase() ?? 'setting');
  s.world.run('shell', command);
}

/** The machine that a backup is written to; '' for this one. */
function backupHost(s: Statement): string {
  const to = s.tokens.find((t) => t.kind === 'string')?.text ?? '';
  return /^(?:\\\\([\w.-]{1,255})\\|\w{2,8}:\/\/([^/?#\s]{1,255}))/.exec(to)?.slice(1).find(Boolean) ?? '';
}

/** Statements about the settings, logs, sessions and files of the server. */
export function administer(s: Statement, verb: string): void {
  const { settings, statements } = wordsOf(s);
  const text = s.text.replace(/\s+/g, ' ');
  if (settings.logs_off.test(text) || (settings.log_removals.test(text) && settings.log_names.test(text)))
    add(s, 'tampers_with_logs', 'everything', verb.toLowerCase());
  else if (settings.guards_off.test(text)) add(s, 'tampers_with_guards', 'one', verb.toLowerCase());
  else if (settings.checks_off.test(text)) add(s, 'bypasses_checks', 'one', 'constraints');
  else if (/^set (?:session )?(?:role|session authorization)\b/i.test(text))
    add(s, 'escalates', 'one', nameAfter(s, 'ROLE', 'AUTHORIZATION'));
  else if (settings.commands.test(text)) runOfServer(s, settings.commands);
  else if (settings.recovery_off.test(text)) add(s, 'destroys_recovery', 'one', 'archive of changes');
  else if (verb === 'SET' && s.tokens[1]?.text === 'PASSWORD')
    add(s, 'escalates', 'one', nameAfter(s, 'FOR') || 'own account');
  else if (verb === 'BACKUP' && backupHost(s) !== '')
    sendTo(s.world, backupHost(s), { text: HOLE, taint: FROM.file }, s.text, 'many');
  else if (verb === 'KILL' || verb === 'SHUTDOWN')
    add(s, 'disrupts', verb === 'KILL' ? 'one' : 'everything', 'database server');
  else if (verb === 'LOAD' && /infile/i.test(text))
    readFile(s.world, s.tokens.find((t) => t.kind === 'string')?.text ?? HOLE, s.text);
  else if (verb === 'UNLOAD' || verb === 'EXPORT')
    sendTo(
      s.world,
      (s.tokens.findLast((t) => t.kind === 'string')?.text ?? '').replace(/^\w+:\/\//, ''),
      { text: HOLE, taint: FROM.file },
      s.text,
      'many',
    );
  else if (verb === 'ATTACH') {
    add(s, 'writes', 'one', 'attached database');
    writeFile(s.world, s.tokens.find((t) => t.kind === 'string')?.text ?? HOLE, { text: HOLE, taint: 0 }, s.text);
  } else if (verb === 'INSTALL' || verb === 'LOAD') {
    add(s, 'runs_code', 'one', nameAfter(s, 'PLUGIN', verb));
    add(s, 'loads_unsafely', 'one', nameAfter(s, 'PLUGIN', verb));
  } else if (verb === 'SET' && /^@(?!@)/.test(s.tokens[1]?.text ?? '')) return;
  else if (statements.session.has(verb)) add(s, 'writes', 'scratch', verb.toLowerCase());
  else if (verb === 'REASSIGN') add(s, 'escalates', 'one', nameAfter(s, 'TO'));
  else if (verb === 'LOCK') add(s, 'disrupts', 'one', nameAfter(s, 'TABLE', verb));
  else if (statements.maintenance.has(verb)) add(s, 'writes', 'one', s.tokens.at(-1)!.text.toLowerCase());
  else if (verb === 'RESTORE' || verb === 'IMPORT') add(s, 'writes', 'many', nameAfter(s, 'DATABASE', verb));
}
