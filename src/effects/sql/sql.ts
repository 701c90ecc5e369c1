/** Interprets SQL of any dialect: what each statement reads, changes, removes, grants and runs. */
import { noteAdministeredSettings } from '../administered/settings.ts';
import { FROM, HOLE } from '../data.ts';
import { sendTo } from '../deeds/network.ts';
import { writeFile } from '../deeds/write-file.ts';
import { hostOf } from '../hosts.ts';
import type { World } from '../world.ts';
import { isMadeAgain } from './replaced-guards.ts';
import { changesRows, isTakenBack, statementsOf } from './sql-batches.ts';
import { runBody } from './sql-code.ts';
import { noteTable, removeRows, removeTable, updateRows } from './sql-rows.ts';
import { administer, copy, execute, noteFunctions, writtenBy } from './sql-server.ts';
import { add, boundOf, nameAfter, type Statement, set, WHERE, wordsOf } from './sql-statement.ts';
import { findWord, MAX_TOKENS, readTokens, splitAt, type Token } from './sql-tokens.ts';
import { runVariables } from './sql-variables.ts';

const SELECT = set('SELECT');
const ON = set('ON');
const FROM_WORD = set('FROM');
const BEGINS = set('BEGIN START');
const ENDS = set('COMMIT ROLLBACK ABORT');
const INTO = set('INTO');
const FOR = set('FOR');
/** Common table expressions of a WITH, and queries of a UNION, that are read. */
const MAX_PARTS = 20;

export function readSql(code: string, world: World): void {
  const all = readTokens(code);
  if (all.length >= MAX_TOKENS) world.was_cut = true;
  const statements = statementsOf(all, world.ontology);
  const isKept = !isTakenBack(statements, world.ontology);
  const executes_known = code.includes('@') && runVariables(all, code, world);
  // A client runs the rest of such a line in a shell.
  for (const m of code.matchAll(/^\s{0,16}\\!\s{0,16}([^\n]{2,400})/gm)) world.run('shell', m[1]!);
  let isOpen = false;
  for (const [i, tokens] of statements.entries()) {
    if (!world.step()) return;
    const first = tokens[0]!;
    if (BEGINS.has(first.text)) isOpen = true;
    // A statement behind the end of a transaction that somebody else began is outside of its protection.
    else if (ENDS.has(first.text) && !isOpen && i > 0 && i < statements.length - 1)
      world.add('bypasses_checks', 'one', 'transaction', code.slice(first.from, tokens.at(-1)!.to));
    const text = code.slice(tokens[0]!.from, tokens.at(-1)!.to);
    const s = { tokens, text, world, executes_known, following: statements.slice(i + 1, i + 1 + MAX_PARTS) };
    if (isKept || !changesRows(tokens, world.ontology)) readStatement(s);
    else tryStatement(s);
  }
}

function readStatement(s: Statement): void {
  const at = s.tokens.findIndex((t) => t.kind === 'word' && READERS.has(t.text));
  if (isPlanOnly(s)) {
    add(s, 'reads', 'one', 'plan');
    return;
  }
  if (showsDefinition(s)) {
    add(s, 'reads', 'one', 'definition');
    return;
  }
  noteFunctions(s);
  if (at < 0) return;
  const head = s.tokens[at]!.text;
  if (head === 'WITH') {
    readWith(s, at);
    return;
  }
  readFrom({ ...s, tokens: s.tokens.slice(at) }, head);
}

/** A change that is rolled back: it reads and locks what it would change, and its functions are called all the same. */
function tryStatement(s: Statement): void {
  noteFunctions(s);
  const table = nameAfter(s, 'FROM', 'UPDATE', 'INTO');
  if (table !== '') add(s, 'reads', 'one', table);
}

/** `EXPLAIN DELETE …` shows a plan; `EXPLAIN ANALYZE DELETE …` deletes. */
function isPlanOnly(s: Statement): boolean {
  if (s.tokens[0]!.text !== 'EXPLAIN') return false;
  const at = s.tokens.findIndex((t) => t.kind === 'word' && READERS.has(t.text));
  return !s.tokens.slice(0, at < 0 ? undefined : at).some((t) => t.text === 'ANALYZE' || t.text === 'ANALYSE');
}

/** Words of `SHOW CREATE TABLE a.b`, with its schema and its end. */
const MOST_WORDS_SHOWN = 8;

/** `SHOW CREATE TABLE t` prints the statement that made the table, and makes none. */
function showsDefinition({ tokens }: Statement): boolean {
  const [first, second] = tokens;
  return first!.text === 'SHOW' && second?.text === 'CREATE' && tokens.length <= MOST_WORDS_SHOWN;
}

/** `WITH x AS (DELETE …) SELECT …`: reads each part as a statement. */
function readWith(s: Statement, at: number): void {
  let parts = 0;
  for (let i = at + 1; i < s.tokens.length && parts < MAX_PARTS; i++) {
    const t = s.tokens[i]!;
    if (t.kind === 'word' && READERS.has(t.text) && (s.tokens[i - 1]!.text === '(' || s.tokens[i - 1]!.text === ')')) {
      parts++;
      if (parts === MAX_PARTS) s.world.was_cut = true;
      const tokens = untilClosing(s.tokens.slice(i));
      const start = s.tokens[0]!.from;
      readFrom({ ...s, tokens, text: s.text.slice(t.from - start, (tokens.at(-1) ?? t).to - start) }, t.text);
    }
  }
}

function untilClosing(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  const end = tokens.findIndex(
    (t) => t.kind === 'symbol' && ((t.text === '(' && ++depth < 0) || (t.text === ')' && --depth < 0)),
  );
  return end < 0 ? tokens : tokens.slice(0, end);
}

function readFrom(s: Statement, head: string): void {
  READERS.get(head)!(s, head);
}

function insertRows(s: Statement, verb: string): void {
  const table = nameAfter(s, 'INTO', 'OVERWRITE', verb);
  add(s, 'writes', 'one', table);
  if (wordsOf(s).tables.accounts.test(table)) add(s, 'escalates', 'one', table);
  const at = findWord(s.tokens, SELECT);
  // ClickHouse writes rows to a table function as to a table: `INSERT INTO FUNCTION url('https://…')`.
  const url = s.tokens
    .slice(0, at < 0 ? undefined : at)
    .find(({ kind, text }) => kind === 'string' && /^\w+:\/\//.test(text));
  if (table.toUpperCase() === 'FUNCTION' && url !== undefined)
    sendTo(s.world, url.text, { text: HOLE, taint: at < 0 ? 0 : FROM.file }, s.text, 'many');
  if (at >= 0) readSelect({ ...s, tokens: s.tokens.slice(at) });
  if (verb === 'MERGE' && s.tokens.some((t) => t.text === 'DELETE')) add(s, 'deletes', 'many', table);
}

/** Reads each query of a UNION. */
function readSelect(s: Statement): void {
  const { joins_queries } = wordsOf(s).clauses;
  const arms = splitAt(s.tokens, (t) => t.kind === 'word' && joins_queries.has(t.text));
  if (arms.length > MAX_PARTS) s.world.was_cut = true;
  for (const tokens of arms.slice(0, MAX_PARTS)) readQuery({ ...s, tokens });
}

/** `INTO OUTFILE 'path'` writes a file of the server, `INTO OUTFILE S3 's3://…'` sends the rows to a bucket. */
function writeOut(s: Statement, into: number): void {
  const place = s.tokens.slice(into + 1, into + 3).find(({ kind }) => kind === 'string')?.text ?? '';
  if (/^\w+:\/\//.test(place))
    sendTo(s.world, place.replace(/^\w+:\/\//, ''), { text: HOLE, taint: FROM.file }, s.text, 'many');
  else writeFile(s.world, place, writtenBy(s.tokens.slice(0, into)), s.text);
}

function readQuery(s: Statement): void {
  const table = nameAfter(s, 'FROM');
  const into = s.tokens.findIndex((t) => t.text === 'OUTFILE' || t.text === 'DUMPFILE');
  if (into >= 0) writeOut(s, into);
  const to = findWord(s.tokens, INTO);
  const target = s.tokens[to + 1];
  if (to >= 0 && into < 0 && target !== undefined && !target.text.startsWith('@') && !target.text.startsWith(':'))
    add(s, 'writes', 'one', nameAfter(s, 'INTO'));
  const lock = findWord(s.tokens, FOR);
  if (lock >= 0 && wordsOf(s).clauses.locks.has(s.tokens[lock + 1]?.text ?? '')) add(s, 'writes', 'one', table);
  if (table === '') return;
  const bound = boundOf(s);
  const hasTautology = bound === null && findWord(s.tokens, WHERE) >= 0;
  add(s, 'reads', hasTautology ? 'everything' : (bound ?? 'many'), table);
  // Only selected columns count, also those of subqueries: a comparison with a password is a login check, no disclosure.
  const selected = s.tokens.slice(0, Math.max(0, findWord(s.tokens, FROM_WORD)));
  const { tables, columns } = wordsOf(s);
  if (tables.accounts.test(table) || selected.some((t) => columns.secrets.test(t.text)))
    add(s, 'reads_credentials', bound ?? 'many', table);
  if (selected.some((t) => columns.personal.test(t.text))) add(s, 'reads_personal_data', bound ?? 'many', table);
}

/** The kind of object that the statement creates or removes; '' when it names none. */
function kindOf(s: Statement, modifiers: ReadonlySet<string>): string {
  return s.tokens.slice(1).find((t) => t.kind === 'word' && !modifiers.has(t.text))?.text ?? '';
}

function drop(s: Statement): void {
  const { objects, modifiers } = wordsOf(s);
  const what = kindOf(s, modifiers.drop);
  const name = nameAfter(s, what);
  if (objects.stores.has(what)) {
    removeTable(s, name);
    add(s, 'alters_schema', 'everything', name);
  } else if (objects.accounts.has(what)) add(s, 'deletes', 'one', name);
  else if (objects.guards.has(what) && !isMadeAgain(s, what, name)) add(s, 'tampers_with_guards', 'one', name);
  else add(s, 'alters_schema', 'one', name);
}

function alter(s: Statement): void {
  const { objects, altered_rights } = wordsOf(s);
  const what = s.tokens[1]?.text ?? '';
  const has = (...words: string[]): boolean => words.every((w) => s.tokens.some((t) => t.text === w));
  const name = nameAfter(s, what, 'TABLE');
  if (objects.alterable_accounts.has(what)) {
    const isRight = altered_rights.some((words) => has(...words));
    add(s, isRight ? 'escalates' : 'writes', 'one', name);
    return;
  }
  // ClickHouse changes rows in this way.
  if (s.tokens.some((t, i) => t.text === 'DELETE' && s.tokens[i + 1]?.text === 'WHERE')) {
    removeRows(s, name);
    return;
  }
  noteAdministeredSettings(s.world, s.text, s.text);
  if (has('DISABLE') || has('NO', 'FORCE')) add(s, 'tampers_with_guards', 'one', name);
  if (objects.switchable.has(what) && has('SET')) administer(s, 'SET');
  add(s, 'alters_schema', has('DROP') ? 'many' : 'one', name);
  if (has('DROP', 'COLUMN') || has('DROP', 'PARTITION')) {
    add(s, 'deletes', 'many', name);
    noteTable(s, name, 'many');
  }
}

function create(s: Statement): void {
  const { objects, modifiers, account_rights, unprotected_code } = wordsOf(s);
  const what = kindOf(s, modifiers.create);
  const name = nameAfter(s, what);
  if (objects.accounts.has(what)) {
    add(s, 'persists', 'one', name);
    if (s.tokens.some((t) => account_rights.has(t.text))) add(s, 'escalates', 'one', name);
  } else if (objects.triggers.has(what)) add(s, 'persists', 'one', name);
  else if (objects.code.has(what)) {
    if (s.tokens.some((t) => unprotected_code.has(t.text))) add(s, 'runs_code', 'one', name);
    if (!runBody(s)) for (const body of bodiesOf(s)) s.world.runDormant('sql', body.text);
    add(s, 'writes', 'one', name);
  } else if (objects.other_servers.has(what)) {
    for (const body of bodiesOf(s)) s.world.noteHost(hostOf(body.text));
    add(s, 'sends_out', 'one', name);
  } else {
    add(s, 'writes', 'one', name);
    const at = findWord(s.tokens, SELECT);
    if (at >= 0) readSelect({ ...s, tokens: s.tokens.slice(at) });
  }
}

/** Strings long enough to hold code or an address. */
const bodiesOf = (s: Statement): Token[] => s.tokens.filter((t) => t.kind === 'string' && t.text.length > 12);

/** Who gets or loses the right; the kind of account may stand before its name: `TO ROLE planner`. */
function granteeOf(s: Statement): string {
  const at = s.tokens.findLastIndex(({ text }) => text === 'TO' || text === 'FROM');
  const rest = { ...s, tokens: s.tokens.slice(Math.max(0, at)) };
  const name = nameAfter(rest, ...wordsOf(s).clauses.before_grantee);
  return name === '' ? nameAfter(rest, 'TO', 'FROM') : name;
}

function grant(s: Statement, verb: string): void {
  const to = granteeOf(s);
  const { public_accounts } = wordsOf(s);
  if (verb !== 'GRANT') {
    // What everybody loses keeps strangers out.
    add(s, public_accounts.has(to.toUpperCase()) ? 'writes' : 'disrupts', 'one', to);
    return;
  }
  const { wide_grants, looking_rights } = wordsOf(s);
  const on = findWord(s.tokens, ON);
  // «GRANT SELECT ON ALL TABLES IN SCHEMA sales TO ana» lets one account look at one schema.
  const rights = s.tokens.slice(1, Math.max(1, on)).filter(({ kind }) => kind === 'word');
  const isLooking = rights.length > 0 && rights.every(({ text }) => looking_rights.has(text));
  const isWide = s.tokens.some(
    (t, i) =>
      (wide_grants.test(t.text) && !(isLooking && i === on + 1)) || (t.text === '*' && s.tokens[i + 1]?.text === '.'),
  );
  const isSchema = isLooking && on >= 0 && wide_grants.test(s.tokens[on + 1]?.text ?? '');
  add(s, 'grants', isWide ? 'everything' : isSchema ? 'many' : 'one', to);
}

type StatementReader = (s: Statement, head: string) => void;

/** First word of a statement → the function that reads the statement. */
const READERS: ReadonlyMap<string, StatementReader> = new Map(
  Object.entries<StatementReader>({
    SELECT: readSelect,
    INSERT: insertRows,
    REPLACE: insertRows,
    MERGE: insertRows,
    UPSERT: insertRows,
    UPDATE: updateRows,
    DELETE: (s) => removeRows(s, nameAfter(s, 'FROM', 'DELETE')),
    TRUNCATE: (s) => removeTable(s, nameAfter(s, 'TABLE', 'TRUNCATE')),
    DROP: drop,
    ALTER: alter,
    RENAME: alter,
    CREATE: create,
    GRANT: grant,
    REVOKE: grant,
    DENY: grant,
    COPY: copy,
    EXEC: execute,
    EXECUTE: execute,
    CALL: execute,
    DO: execute,
    // Only a nested WITH gets here; `readWith` splits the others.
    WITH: administer,
    SET: administer,
    RESET: administer,
    PURGE: administer,
    KILL: administer,
    SHUTDOWN: administer,
    LOAD: administer,
    UNLOAD: administer,
    IMPORT: administer,
    EXPORT: administer,
    BACKUP: administer,
    RESTORE: administer,
    ATTACH: administer,
    ENABLE: administer,
    DISABLE: administer,
    VACUUM: administer,
    REINDEX: administer,
    CLUSTER: administer,
    REFRESH: administer,
    COMMENT: administer,
    NOTIFY: administer,
    OPTIMIZE: administer,
    REPAIR: administer,
    CHECKPOINT: administer,
    DISCARD: administer,
    LOCK: administer,
    LISTEN: administer,
    UNLISTEN: administer,
    DEALLOCATE: administer,
    SAVEPOINT: administer,
    INSTALL: administer,
    REASSIGN: administer,
  }),
);
