/** Programs that run code given to them: as an argument, as a file, or piped in. */

import { type Data, FROM, HOLE } from '../data.ts';
import { decodeBase64 } from '../decode.ts';
import { fetchFrom, runFile, runText } from '../deeds.ts';
import { hostOf } from '../hosts.ts';
import {
  type Call,
  type Field,
  type Options,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
} from '../shell/call.ts';
import type { Language } from '../world.ts';

/** The code among the options of an interpreter, if any. */
function inlineCode(options: Options, names: readonly string[]): Field | undefined {
  return options.values(...names)[0];
}

interface Interpreter {
  language: Language;
  /** Options whose value is code. */
  code: readonly string[];
  /** All options that take a value. */
  valued: string;
}

function interpreter(i: Interpreter): Program {
  return (c) => {
    const options = readOptions(c.args, i.valued, true);
    const code = inlineCode(options, i.code);
    const file = options.operands[0];
    if (code !== undefined) passArguments(c, options.operands);
    if (code !== undefined) runText(c.world, i.language, code, c.excerpt);
    else if (file?.content !== undefined) runText(c.world, i.language, file.content, c.excerpt);
    else if (file !== undefined && file.text !== '-') {
      if (file.taint & FROM.network) c.world.add('downloads_and_runs', 'one', file.text, c.excerpt);
      runFile(c.world, file.text, i.language, c.excerpt);
    } else if (c.stdin !== null) runText(c.world, i.language, c.stdin, c.excerpt);
    return {
      text: HOLE,
      taint: (c.stdin?.taint ?? 0) | (i.language === 'shell' && options.has('i') ? FROM.interactive : 0),
    };
  };
}

/** Environment of the code run: `$0 $1 …` are the words after it. */
function passArguments(c: Call, operands: readonly Field[]): void {
  for (const [i, o] of operands.entries()) if (i < 10) c.world.variables[String(i)] = { text: o.text, taint: o.taint };
}

const shell = interpreter({
  language: 'shell',
  code: ['c', 'lc', 'ic', 'ec', 'lic', 'xc'],
  valued: 'c O o lc ic ec lic xc rcfile init-file',
});
const python: Program = (c) => {
  const options = readOptions(c.args, 'c m W X Q', true);
  const module = options.value('m');
  if (module === '') return interpreter({ language: 'python', code: ['c'], valued: 'c m W X Q' })(c);
  if (/^(?:pip|pipx|uv)$/.test(module))
    return c.invoke([{ text: module, taint: 0, hasGlob: false }, ...options.operands], c.stdin);
  c.world.add('runs_code', 'one', `python -m ${module}`, c.excerpt);
  return { text: HOLE, taint: 0 };
};
const node = interpreter({
  language: 'javascript',
  code: ['e', 'p', 'pe', 'eval', 'print'],
  valued: 'e p pe r eval print require import loader',
});
const deno: Program = (c) => {
  const [first, ...rest] = c.args;
  if (/^(?:eval|-e|--eval)$/.test(first?.text ?? ''))
    return node({ ...c, args: [{ text: '-e', taint: 0, hasGlob: false }, ...rest] });
  if (/^(?:run|repl)$/.test(first?.text ?? ''))
    return node({ ...c, args: rest.filter((r) => !r.text.startsWith('-')) });
  return c.invoke([{ text: 'npm', taint: 0, hasGlob: false }, ...c.args], c.stdin);
};

/** Interpreters without a grammar here: calls in their code are found by their names. */
const script =
  (code: readonly string[], valued: string): Program =>
  (c) => {
    const options = readOptions(c.args, valued, true);
    const inline = inlineCode(options, code);
    const file = options.operands[0];
    const isInPlace = /^(?:perl|ruby)$/.test(c.name) && c.args.some((a) => /^-\w*i/.test(a.text));
    if (isInPlace)
      for (const f of options.operands) c.world.add('writes', f.hasGlob ? 'many' : 'one', f.text, c.excerpt);
    if (inline !== undefined) return scanForeign(c, inline);
    if (file !== undefined) runFile(c.world, file.text, 'javascript', c.excerpt);
    else if (c.stdin !== null) scanForeign(c, c.stdin);
    return { text: HOLE, taint: c.stdin?.taint ?? 0 };
  };

/** Perl, Ruby, PHP, Lua: commands they run and sockets they open stand in strings and names. */
function scanForeign(c: Call, code: Data): Data {
  const hidden = code.taint & (FROM.network | FROM.decoded);
  if (hidden !== 0) runText(c.world, 'shell', { text: HOLE, taint: hidden }, c.excerpt);
  else c.world.add('runs_code', 'one', c.name, c.excerpt);
  const text = code.text;
  for (const m of text.matchAll(
    /\b(?:system|exec|shell_exec|passthru|popen|proc_open|os\.execute|io\.popen|spawn|do shell script)\s*\(?\s*(["'])((?:[^\\]|\\.)*?)\1/g,
  ))
    c.world.run('shell', m[2]!.replace(/\\(["'])/g, '$1'));
  for (const m of text.matchAll(/`([^`]{2,400})`|%x[({[]([^)}\]]{2,400})[)}\]]/g)) c.world.run('shell', m[1] ?? m[2]!);
  for (const m of text.matchAll(
    /\b(unlink|rmdir|rmtree|File\.delete|FileUtils\.rm_rf?|remove_tree)\s*\(?\s*(["'])(.*?)\2/g,
  ))
    c.world.run('shell', `rm ${/tree|rm_r/.test(m[1]!) ? '-rf ' : ''}'${m[3]}'`);
  if (
    /\b(?:Socket|TCPSocket|fsockopen|IO::Socket|socket\()/.test(text) &&
    /\b(?:exec|\/bin\/(?:ba)?sh|open\(STD|\$\w+->fdopen|popen|proc_open|dup2?)/.test(text)
  ) {
    const host =
      hostOf(/["']([\w.-]+\.[\w.-]+)(?::\d+)?["']/.exec(text)?.[1] ?? '') ||
      hostOf(/["']([\w.:-]+)["']/.exec(text)?.[1] ?? '');
    c.world.noteHost(host);
    c.world.add('opens_channel', 'one', host, c.excerpt);
  }
  if (/\bfork\b/.test(text) && /\bwhile\b|\bfork\s*;?\s*fork|\bloop\b|\bfor\s*\(;;/.test(text))
    c.world.add('exhausts_resources', 'everything', 'fork', c.excerpt);
  if (/\beval\b/.test(text) && /base64|pack\s*\(|unpack|gzinflate|str_rot13/.test(text))
    c.world.add('obfuscates', 'one', c.name, c.excerpt);
  return { text: HOLE, taint: code.taint };
}

/** `powershell -enc …` carries base64 of UTF-16; `-Command` the plain text. */
const powershell: Program = (c) => {
  for (const [i, a] of c.args.entries()) {
    const next = c.args[i + 1];
    if (next === undefined) continue;
    if (/^[-/]e(?:nc?\w*)?$/i.test(a.text) && decodeBase64(next.text) !== null) {
      const plain = decodeBase64(next.text) ?? HOLE;
      runText(c.world, 'shell', { text: plain, taint: FROM.decoded }, c.excerpt);
      return undefined;
    }
    if (/^[-/]c(?:ommand)?$/i.test(a.text)) {
      c.world.run(
        'shell',
        c.args
          .slice(i + 1)
          .map((f) => f.text)
          .join(' '),
      );
      return undefined;
    }
    if (/^[-/]f(?:ile)?$/i.test(a.text)) runFile(c.world, next.text, 'shell', c.excerpt);
    if (/^[-/](?:ep|ex\w*)$/i.test(a.text) && /bypass|unrestricted/i.test(next.text))
      c.world.add('bypasses_checks', 'one', 'execution policy', c.excerpt);
  }
  const last = c.args.at(-1);
  if (last !== undefined && /\s/.test(last.text)) c.world.run('shell', last.text);
  else if (c.stdin !== null) runText(c.world, 'shell', c.stdin, c.excerpt);
  return undefined;
};

/** `iex (iwr …)`: PowerShell's eval. */
const invokeExpression: Program = (c) => {
  const text = c.args.map((a) => a.text).join(' ');
  const taint = c.args.reduce((t, a) => t | a.taint, c.stdin?.taint ?? 0);
  const url = /https?:\/\/[^\s'"]+/i.exec(text)?.[0];
  if (
    url !== undefined &&
    /downloadstring|downloaddata|downloadfile|\b(?:iwr|irm|curl|wget|invoke-\w+)\b/i.test(text)
  ) {
    const fetched = fetchFrom(c.world, url, c.excerpt);
    runText(c.world, 'shell', { text: HOLE, taint: taint | fetched.taint }, c.excerpt);
  } else runText(c.world, 'shell', { text: text === '' ? HOLE : text, taint }, c.excerpt);
  return undefined;
};

const cmd: Program = (c) => {
  const at = c.args.findIndex((a) => /^\/[ck]$/i.test(a.text));
  if (at >= 0)
    c.world.run(
      'shell',
      c.args
        .slice(at + 1)
        .map((f) => f.text)
        .join(' '),
    );
  return undefined;
};

/** Clients of databases: the statement among their options, or piped in. */
const database =
  (names: readonly string[], valued: string): Program =>
  (c) => {
    const options = readOptions(c.args, valued);
    const host = options.value('h', 'host');
    c.world.noteHost(hostOf(host) || hostOf(options.operands[0]?.text ?? ''));
    const given = [
      ...options.values(...names),
      ...(c.name === 'sqlite3' || c.name === 'duckdb' ? options.operands.slice(1) : []),
    ];
    for (const code of given) c.world.run('sql', code.text);
    if (given.length === 0 && c.stdin !== null) c.world.run('sql', c.stdin.text);
    const file = options.value('f', 'file');
    if (file !== '') runFile(c.world, file, 'sql', c.excerpt);
    return { text: HOLE, taint: FROM.file };
  };

const mongo: Program = (c) => {
  const text = `${readOptions(c.args, 'eval host port u p').value('eval')} ${c.stdin?.text ?? ''}`;
  if (/dropDatabase|\.drop\(|(?:deleteMany|remove)\(\s*(?:\{\s*\})?\s*\)/.test(text))
    c.world.add('deletes', 'everything', 'database', c.excerpt);
  else if (/deleteOne|deleteMany|remove\(/.test(text)) c.world.add('deletes', 'one', 'database', c.excerpt);
  else if (/insert|update|replace/.test(text)) c.world.add('writes', 'one', 'database', c.excerpt);
  else c.world.add('reads', 'one', 'database', c.excerpt);
  return { text: HOLE, taint: FROM.file };
};

const redis: Program = (c) => {
  const text = c.args
    .map((a) => a.text)
    .join(' ')
    .toUpperCase();
  if (/\bFLUSH(?:ALL|DB)\b/.test(text)) c.world.add('deletes', 'everything', 'database', c.excerpt);
  else if (/\b(?:DEL|UNLINK)\b/.test(text)) c.world.add('deletes', 'one', 'database', c.excerpt);
  else if (/\bCONFIG SET\b|\b(?:SLAVEOF|REPLICAOF|MODULE LOAD)\b/.test(text))
    c.world.add('writes_system', 'one', 'database settings', c.excerpt);
  return { text: HOLE, taint: FROM.file };
};

const dump: Program = (c) => {
  const options = readOptions(c.args, 'h u p P d U f t n r file host dbname result-file out');
  c.world.noteHost(hostOf(options.value('h', 'host')));
  c.world.add('reads', 'many', options.operands.at(-1)?.text ?? 'database', c.excerpt);
  return { text: HOLE, taint: FROM.file | FROM.listing };
};

const dropDatabase: Program = (c) => {
  c.world.add('deletes', 'everything', c.args.at(-1)?.text ?? 'database', c.excerpt);
  return undefined;
};

export const INTERPRETER_PROGRAMS: ProgramTable = programTable({
  'sh bash zsh dash ksh ash fish rbash tcsh csh': shell,
  'python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 pypy pypy3 ipython py':
    python,
  'node nodejs tsx ts-node': node,
  deno,
  'osascript lua': script(['e'], 'e l'),
  perl: script(['e', 'E', 'ne', 'pe', 'nle', 'pie', 'Mio'], 'e E ne pe nle pie I'),
  ruby: script(['e', 'rsocket'], 'e I'),
  php: script(['r'], 'r d f'),
  tclsh: script([], ''),
  expect: script(['c'], 'c'),
  rscript: script(['e'], 'e'),
  'powershell pwsh': powershell,
  'iex invoke-expression': invokeExpression,
  cmd,
  psql: database(['c', 'command'], 'c command h host U username d dbname p port f file v'),
  'mysql mariadb': database(['e', 'execute'], 'e execute h host u user P port D database'),
  sqlite3: database(['cmd'], 'cmd separator'),
  duckdb: database(['c'], 'c'),
  sqlcmd: database(['Q', 'q'], 'Q q S U P d i'),
  'clickhouse clickhouse-client': database(['q', 'query'], 'q query h host'),
  'cqlsh pgcli mycli litecli usql cockroach trino presto beeline hive spark-sql': database(
    ['e', 'execute', 'c', 'command'],
    'e execute c command h host U u username p password d f file',
  ),
  bq: database(['query'], 'query'),
  snowsql: database(['q'], 'q a u'),
  'mongo mongosh': mongo,
  'redis-cli': redis,
  'pg_dump pg_dumpall mysqldump mongodump mongoexport mariadb-dump pg_restore': dump,
  'dropdb mongorestore': dropDatabase,
});
