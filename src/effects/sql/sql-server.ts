/** SQL that reaches beyond tables: files and commands of the server, other hosts, settings, logs, sessions. */
import { FROM, HOLE } from '../data.ts';
import { readFile, sendTo, writeFile } from '../deeds.ts';
import { hostOf } from '../hosts.ts';
import { add, head, nameAfter, type Statement, set } from './sql-statement.ts';
import { findWord } from './sql-tokens.ts';

/** `COPY … TO PROGRAM` runs a command, `TO 'file'` writes one on the server, `FROM 's3://…'` loads. */
export function copy(s: Statement): void {
  const program = s.tokens.findIndex((t) => t.text === 'PROGRAM');
  const table = s.tokens[1]?.text === '(' ? 'query' : nameAfter(s, 'COPY');
  const direction = findWord(s.tokens, set('TO FROM'));
  const place = s.tokens[direction + 1];
  if (program >= 0) {
    add(s, 'runs_code', 'one', 'database server');
    s.world.run('shell', s.tokens[program + 1]?.text ?? '');
    return;
  }
  add(s, s.tokens[direction]?.text === 'FROM' ? 'writes' : 'reads', 'many', table);
  if (place?.kind !== 'string') return;
  if (s.tokens[direction]!.text === 'FROM') readFile(s.world, place.text, s.text);
  else if (/^\w+:\/\//.test(place.text))
    sendTo(s.world, place.text.replace(/^\w+:\/\//, ''), { text: HOLE, taint: FROM.file }, s.text, 'many');
  else writeFile(s.world, place.text, { text: HOLE, taint: FROM.file }, s.text, 'many');
}

/** Stored code: commands of the operating system, SQL in strings, anonymous blocks. */
export function execute(s: Statement, verb: string): void {
  const name = nameAfter(s, verb);
  if (/xp_cmdshell|sp_oacreate|sp_oamethod|dbms_scheduler|rdsadmin/i.test(name)) {
    add(s, 'runs_code', 'one', name);
    for (const t of s.tokens) if (t.kind === 'string') s.world.run('shell', t.text);
    return;
  }
  if (/sp_configure/i.test(name)) {
    add(s, 'tampers_with_guards', 'one', name);
    return;
  }
  if (/sp_addsrvrolemember|sp_addrolemember|sp_addlogin/i.test(name)) {
    add(s, 'escalates', 'one', name);
    return;
  }
  const code = s.tokens.filter(
    (t) =>
      t.kind === 'string' &&
      /^\s*(?:begin|declare|select|insert|update|delete|drop|truncate|alter|create|grant|exec)/i.test(t.text),
  );
  for (const c of code) s.world.run('sql', plainBlock(c.text));
  if (code.length === 0) add(s, 'runs_code', 'one', name);
}

/** Statements inside `BEGIN … END`, and those in strings that a block executes. */
function plainBlock(body: string): string {
  return body
    .replace(/\bbegin\b/gi, ';')
    .replace(
      /\bexecute\s+(?:immediate\s+)?'((?:[^']|'')*)'/gi,
      (_all, inner: string) => `;${inner.replaceAll("''", "'")};`,
    );
}

const RUNS = /^(?:xp_cmdshell|sys_exec|sys_eval|lo_export|pg_execute_server_program)$/i;
const READS_FILE =
  /^(?:load_file|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_import|readfile|openrowset|utl_file|xp_dirtree)$/i;
const CONNECTS =
  /^(?:dblink|dblink_connect|dblink_exec|openrowset|opendatasource|utl_http|utl_smtp|http_get|http_post)$/i;

/** Functions that leave the database, wherever they stand in a statement. */
export function noteFunctions(s: Statement): void {
  for (const [i, t] of s.tokens.entries()) {
    if (t.kind !== 'word' && t.kind !== 'name') continue;
    const argument = s.tokens.slice(i + 1, i + 4).find((n) => n.kind === 'string')?.text ?? '';
    if (READS_FILE.test(t.text)) readFile(s.world, argument === '' ? HOLE : argument, s.text);
    if (CONNECTS.test(t.text)) {
      s.world.noteHost(hostOf(argument) || (/host=([\w.-]+)/.exec(argument)?.[1] ?? ''));
      add(s, 'sends_out', 'one', argument);
    }
    if (RUNS.test(t.text) && argument !== '' && head(s) !== 'EXEC') s.world.run('shell', argument);
    if (/^PG_(?:TERMINATE|CANCEL)_BACKEND$/.test(t.text)) add(s, 'disrupts', 'one', 'sessions');
    if (
      /^(?:PG_SLEEP|SLEEP|BENCHMARK|WAITFOR)$/.test(t.text) &&
      s.tokens[i + 1] !== undefined &&
      Number(s.tokens[i + 2]?.text) >= 60
    )
      add(s, 'exhausts_resources', 'one', t.text.toLowerCase());
  }
}

/** Settings, logs, sessions and files of the server itself. */
export function administer(s: Statement, verb: string): void {
  const text = s.text.replace(/\s+/g, ' ');
  if (
    /\b(?:general_log|slow_query_log|log_statement|log_min\w*|audit\w*|sql_log_bin|pgaudit\S*)\s*=?\s*(?:to\s*)?'?(?:off|0|none|false)/i.test(
      text,
    ) ||
    /^(?:purge|reset)\b.*\b(?:logs?|master|audit)\b/i.test(text)
  )
    add(s, 'tampers_with_logs', 'everything', verb.toLowerCase());
  else if (
    /row_security\s*(?:=|to)\s*off|session_replication_role\s*=\s*'?replica|^disable\s+(?:trigger|audit)/i.test(text)
  )
    add(s, 'tampers_with_guards', 'one', verb.toLowerCase());
  else if (/foreign_key_checks\s*=\s*(?:0|off)|sql_safe_updates\s*=\s*(?:0|off)|unique_checks\s*=\s*0/i.test(text))
    add(s, 'bypasses_checks', 'one', 'constraints');
  else if (/^set (?:session )?(?:role|session authorization)\b/i.test(text))
    add(s, 'escalates', 'one', nameAfter(s, 'ROLE', 'AUTHORIZATION'));
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
  else if (verb === 'RESTORE' || verb === 'IMPORT') add(s, 'writes', 'many', nameAfter(s, 'DATABASE', verb));
}
