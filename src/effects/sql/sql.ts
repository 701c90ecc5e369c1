/** SQL of any dialect, statement by statement: what each reads, changes, removes, grants, and what it runs. */
import { FROM, HOLE } from '../data.ts';
import { writeFile } from '../deeds.ts';
import type { Scope } from '../effects.ts';
import { hostOf } from '../hosts.ts';
import type { World } from '../world.ts';
import { administer, copy, execute, noteFunctions } from './sql-server.ts';
import { add, boundOf, isTemporary, nameAfter, type Statement, set, WHERE } from './sql-statement.ts';
import { findWord, MAX_TOKENS, readTokens, splitAt, splitStatements, type Token } from './sql-tokens.ts';

const SELECT = set('SELECT');
const FROM_WORD = set('FROM');
/** Common table expressions and arms of a UNION beyond this are not read. */
const MAX_PARTS = 20;
const STARTS = set(
  'SELECT INSERT UPDATE DELETE MERGE REPLACE UPSERT WITH TRUNCATE DROP ALTER CREATE GRANT REVOKE COPY EXEC EXECUTE CALL DO SET PURGE RESET KILL SHUTDOWN LOAD UNLOAD ATTACH DISABLE ENABLE RENAME IMPORT EXPORT BACKUP RESTORE DENY',
);

export function readSql(code: string, world: World): void {
  const all = readTokens(code);
  if (all.length >= MAX_TOKENS) world.was_cut = true;
  for (const tokens of splitStatements(all)) {
    if (!world.step()) return;
    const text = code.slice(tokens[0]!.from, tokens.at(-1)!.to);
    readStatement({ tokens, text, world });
  }
}

function readStatement(s: Statement): void {
  const at = s.tokens.findIndex((t) => t.kind === 'word' && STARTS.has(t.text));
  noteFunctions(s);
  if (at < 0) return;
  const head = s.tokens[at]!.text;
  if (head === 'WITH') {
    readWith(s, at);
    return;
  }
  readFrom({ ...s, tokens: s.tokens.slice(at) }, head);
}

/** `WITH x AS (DELETE …) SELECT …`: each part is a statement of its own. */
function readWith(s: Statement, at: number): void {
  let parts = 0;
  for (let i = at + 1; i < s.tokens.length && parts < MAX_PARTS; i++) {
    const t = s.tokens[i]!;
    if (t.kind === 'word' && STARTS.has(t.text) && (s.tokens[i - 1]!.text === '(' || s.tokens[i - 1]!.text === ')')) {
      parts++;
      if (parts === MAX_PARTS) s.world.was_cut = true;
      readFrom({ ...s, tokens: untilClosing(s.tokens.slice(i)) }, t.text);
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
  switch (head) {
    case 'SELECT':
      readSelect(s);
      return;
    case 'DELETE':
      removeRows(s, nameAfter(s, 'FROM', 'DELETE'));
      return;
    case 'TRUNCATE':
      removeTable(s, nameAfter(s, 'TABLE', 'TRUNCATE'));
      return;
    case 'UPDATE':
      updateRows(s);
      return;
    case 'INSERT':
    case 'REPLACE':
    case 'MERGE':
    case 'UPSERT':
      insertRows(s, head);
      return;
    case 'DROP':
      drop(s);
      return;
    case 'ALTER':
    case 'RENAME':
      alter(s);
      return;
    case 'CREATE':
      create(s);
      return;
    case 'GRANT':
    case 'REVOKE':
    case 'DENY':
      grant(s, head);
      return;
    case 'COPY':
      copy(s);
      return;
    case 'EXEC':
    case 'EXECUTE':
    case 'CALL':
    case 'DO':
      execute(s, head);
      return;
    default:
      administer(s, head);
      return;
  }
}

const LOGS = /(?:^|_|\.)(?:audit\w*|access_?logs?|event_?logs?|logs?|history|activity|trail)(?:_|$)/i;
const BACKUPS = /backup|snapshot|archive/i;

/** A join or a USING clause bounds a DELETE as well as a WHERE does. */
function removeRows(s: Statement, table: string): void {
  const isJoined = findWord(s.tokens, set('JOIN USING')) >= 0;
  const bound = boundOf(s) ?? (isJoined ? 'many' : null);
  if (bound === null) s.world.has_unbounded_statement = true;
  add(s, 'deletes', bound ?? 'everything', table);
  noteTable(s, table, bound ?? 'everything');
}

function removeTable(s: Statement, table: string): void {
  if (!isTemporary(table)) s.world.has_unbounded_statement = true;
  add(s, 'deletes', 'everything', table);
  noteTable(s, table, 'everything');
}

function noteTable(s: Statement, table: string, scope: Scope): void {
  if (LOGS.test(table)) add(s, 'tampers_with_logs', scope, table);
  if (BACKUPS.test(table) && scope !== 'one') add(s, 'destroys_recovery', scope, table);
}

const SYSTEM_TABLES =
  /^(?:mysql\.(?:user|db|global_priv)|pg_(?:catalog\.)?(?:authid|shadow|auth_members|user_mapping)|pg_authid|pg_shadow|sys\.(?:sql_logins|syslogins|server_principals)|dba_users|sys\.user\$)/i;
const RIGHTS =
  /^(?:role|roles|is_admin|admin|is_superuser|is_staff|superuser|permissions?|privileges?|access_level|user_level|can_admin|group_id|super_priv|grant_priv)$/i;
const SECRETS =
  /^(?:password|passwd|pwd|password_?hash|passwd_?hash|hashed_password|authentication_string|secret|secret_key|client_secret|api_?key|access_key|private_key|auth_token|access_token|refresh_token|session_token|otp_secret|mfa_secret|pin_hash)$/i;
const PERSONAL =
  /^(?:ssn|social_security(?:_number)?|national_id|passport(?:_number|_no)?|tax_id|card_number|credit_card(?:_number)?|cc_number|cvv|cvc|iban|bank_account(?:_number)?|date_of_birth|dob|birth_?date|diagnosis|medical_record\w*|salary|home_address)$/i;

function updateRows(s: Statement): void {
  const table = nameAfter(s, 'UPDATE');
  const isJoined = findWord(s.tokens, set('JOIN FROM')) >= 0;
  const bound = boundOf(s) ?? (isJoined && findWord(s.tokens, WHERE) >= 0 ? 'many' : null);
  if (bound === null) s.world.has_unbounded_statement = true;
  add(s, 'writes', bound ?? 'everything', table);
  if (LOGS.test(table)) add(s, 'tampers_with_logs', bound ?? 'everything', table);
  const at = findWord(s.tokens, set('SET'));
  const end = findWord(s.tokens, WHERE);
  const assigned = s.tokens.slice(at + 1, end < 0 ? undefined : end).filter((_t, i, all) => all[i + 1]?.text === '=');
  if (SYSTEM_TABLES.test(table) || assigned.some((t) => RIGHTS.test(t.text)))
    add(s, 'escalates', bound ?? 'everything', table);
}

function insertRows(s: Statement, verb: string): void {
  const table = nameAfter(s, 'INTO', 'OVERWRITE', verb);
  add(s, 'writes', 'one', table);
  if (SYSTEM_TABLES.test(table)) add(s, 'escalates', 'one', table);
  const at = findWord(s.tokens, SELECT);
  if (at >= 0) readSelect({ ...s, tokens: s.tokens.slice(at) });
  if (verb === 'MERGE' && s.tokens.some((t) => t.text === 'DELETE')) add(s, 'deletes', 'many', table);
}

/** Each arm of a UNION is a query of its own. */
function readSelect(s: Statement): void {
  const arms = splitAt(s.tokens, (t) => t.kind === 'word' && /^(?:UNION|EXCEPT|INTERSECT)$/.test(t.text));
  if (arms.length > MAX_PARTS) s.world.was_cut = true;
  for (const tokens of arms.slice(0, MAX_PARTS)) readQuery({ ...s, tokens });
}

function readQuery(s: Statement): void {
  const table = nameAfter(s, 'FROM');
  const into = s.tokens.findIndex((t) => t.text === 'OUTFILE' || t.text === 'DUMPFILE');
  if (into >= 0) writeFile(s.world, s.tokens[into + 1]?.text ?? '', { text: HOLE, taint: FROM.file }, s.text, 'many');
  if (table === '') return;
  const bound = boundOf(s);
  const hasTautology = bound === null && findWord(s.tokens, WHERE) >= 0;
  add(s, 'reads', hasTautology ? 'everything' : (bound ?? 'many'), table);
  // Columns of result and subqueries alike; comparing with a password is a log-in check, not a disclosure.
  const columns = s.tokens.slice(0, Math.max(0, findWord(s.tokens, FROM_WORD)));
  if (SYSTEM_TABLES.test(table) || columns.some((t) => SECRETS.test(t.text)))
    add(s, 'reads_credentials', bound ?? 'many', table);
  if (columns.some((t) => PERSONAL.test(t.text))) add(s, 'reads_personal_data', bound ?? 'many', table);
}

function drop(s: Statement): void {
  const what =
    s.tokens
      .slice(1)
      .find(
        (t) => t.kind === 'word' && !/^(?:TEMPORARY|TEMP|EXTERNAL|MATERIALIZED|FOREIGN|UNIQUE|PUBLIC)$/.test(t.text),
      )?.text ?? '';
  const name = nameAfter(s, what);
  if (/^(?:DATABASE|SCHEMA|TABLESPACE|TABLE|KEYSPACE|COLLECTION|OWNED)$/.test(what)) {
    removeTable(s, name);
    add(s, 'alters_schema', 'everything', name);
  } else if (/^(?:USER|ROLE|LOGIN)$/.test(what)) add(s, 'deletes', 'one', name);
  else if (/^(?:POLICY|AUDIT|TRIGGER|MASKING)$/.test(what)) add(s, 'tampers_with_guards', 'one', name);
  else add(s, 'alters_schema', 'one', name);
}

function alter(s: Statement): void {
  const [, what] = s.tokens;
  const has = (...words: string[]): boolean => words.every((w) => s.tokens.some((t) => t.text === w));
  const name = nameAfter(s, what?.text ?? '', 'TABLE');
  if (/^(?:USER|ROLE|LOGIN|SERVER|GROUP)$/.test(what?.text ?? '')) {
    const isRight =
      has('SUPERUSER') ||
      has('CREATEROLE') ||
      has('ADD', 'MEMBER') ||
      has('PASSWORD') ||
      has('IDENTIFIED') ||
      has('BYPASSRLS');
    add(s, isRight ? 'escalates' : 'writes', 'one', name);
    return;
  }
  if (has('DISABLE') || has('NO', 'FORCE')) add(s, 'tampers_with_guards', 'one', name);
  if (/^(?:SYSTEM|AUDIT|DATABASE)$/.test(what?.text ?? '') && has('SET')) administer(s, 'SET');
  add(s, 'alters_schema', has('DROP') ? 'many' : 'one', name);
  if (has('DROP', 'COLUMN') || has('DROP', 'PARTITION')) {
    add(s, 'deletes', 'many', name);
    noteTable(s, name, 'many');
  }
}

function create(s: Statement): void {
  const what =
    s.tokens
      .slice(1)
      .find(
        (t) =>
          t.kind === 'word' &&
          !/^(?:OR|REPLACE|TEMPORARY|TEMP|GLOBAL|LOCAL|UNLOGGED|DEFINER|UNIQUE|EXTERNAL|MATERIALIZED|IF|NOT|EXISTS|PUBLIC|CONSTRAINT|TRUSTED)$/.test(
            t.text,
          ),
      )?.text ?? '';
  const name = nameAfter(s, what);
  const bodies = s.tokens.filter((t) => t.kind === 'string' && t.text.length > 12);
  switch (what) {
    case 'USER':
    case 'ROLE':
    case 'LOGIN':
      add(s, 'persists', 'one', name);
      if (s.tokens.some((t) => /^(?:SUPERUSER|CREATEROLE|SYSADMIN)$/.test(t.text))) add(s, 'escalates', 'one', name);
      return;
    case 'TRIGGER':
    case 'EVENT':
    case 'JOB':
      add(s, 'persists', 'one', name);
      return;
    case 'FUNCTION':
    case 'PROCEDURE':
    case 'EXTENSION':
    case 'LIBRARY':
    case 'ASSEMBLY':
      if (s.tokens.some((t) => /^(?:C|PLPYTHONU|PLPYTHON3U|PLPERLU|PLSH|ASSEMBLY|DBLINK|SONAME)$/.test(t.text)))
        add(s, 'runs_code', 'one', name);
      for (const b of bodies) s.world.runDormant('sql', b.text);
      add(s, 'writes', 'one', name);
      return;
    case 'SERVER':
    case 'LINK':
      for (const b of bodies) s.world.noteHost(hostOf(b.text));
      add(s, 'sends_out', 'one', name);
      return;
    default: {
      add(s, 'writes', 'one', name);
      const at = findWord(s.tokens, SELECT);
      if (at >= 0) readSelect({ ...s, tokens: s.tokens.slice(at) });
    }
  }
}

function grant(s: Statement, verb: string): void {
  const to = nameAfter(s, 'TO', 'FROM');
  if (verb !== 'GRANT') {
    add(s, 'disrupts', 'one', to);
    return;
  }
  const isWide = s.tokens.some(
    (t, i) =>
      /^(?:ALL|SUPERUSER|SYSDBA|DBA|SYSADMIN|DB_OWNER|PG_\w+|ADMIN|PUBLIC)$/i.test(t.text) ||
      (t.text === '*' && s.tokens[i + 1]?.text === '.'),
  );
  add(s, 'grants', isWide ? 'everything' : 'one', to);
}
