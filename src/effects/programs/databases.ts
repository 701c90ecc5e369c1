/** Clients of databases: the statements that they are given, what they empty, and what they copy out. */

import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, listOf } from '../../ontology/words.ts';
import { noteDocumentOperations } from '../administered/documents.ts';
import { type Data, FROM, HOLE, isKnown } from '../data.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { readElsewhere } from '../deeds/read-file.ts';
import { runFile, runText } from '../deeds/run-code.ts';
import { OWN_DATABASE } from '../effects.ts';
import { hostOf, isLoopback } from '../hosts.ts';
import { type Call, lineOf, readOptions } from '../shell/call.ts';
import { readOperand } from './files/read-files.ts';
import type { Reader, Readers } from './knowledge.ts';
import { readByWords } from './unlisted/by-words.ts';

/** A client of SQL: the statement among its options, or piped in. */
const database: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const hostOptions = k.options('host');
  const fileOptions = k.options('file');
  const codeIsOperand = k.wordsOrNone('code_is_operand');
  return (c) => {
    const options = readOptions(c.args, withValue);
    // The first operand of a client that opens a file is that file.
    const place = codeIsOperand.has(c.name) ? '' : hostOf(options.operands[0]?.text ?? '');
    c.world.noteHost(hostOf(options.value(hostOptions)) || place);
    // The file itself may be a store of keys or passwords, such as that of a browser.
    const [opened] = options.operands;
    if (codeIsOperand.has(c.name) && opened !== undefined) readElsewhere(c.world, opened.text, c.excerpt);
    const given = [...options.values(codeOptions), ...(codeIsOperand.has(c.name) ? options.operands.slice(1) : [])];
    const { added } = c.world;
    for (const code of given) runStatements(c, code);
    if (given.length === 0 && c.stdin !== null) runStatements(c, c.stdin);
    const file = options.value(fileOptions);
    if (file !== '') runFile(c.world, file, 'sql', c.excerpt);
    // Without statements its words say what is done: `bq rm -r shop`.
    if (c.world.added === added && c.stdin === null && file === '') readByWords(c, true);
    return { text: HOLE, taint: FROM.file };
  };
};

export const clientShells = perOntology(
  (ontology) =>
    new RegExp(`(?:^|[\\n;])\\s{0,16}${alternatives(listOf(ontology, 'client_shells'))}\\s{1,16}([^\\n]{2,400})`, 'g'),
);

/** Commands of a client that show what the database consists of. */
const clientLooks = perOntology((ontology) => anyOf(ontology, 'client_looks'));

/** Statements, and the commands of a client that start a shell: `\\! ls`, `.shell ls`, `system ls`. */
function runStatements(c: Call, code: Data): void {
  if (code.taint & (FROM.network | FROM.socket | FROM.decoded)) runText(c.world, 'sql', code, c.excerpt);
  else c.world.run('sql', code.text);
  if (clientLooks(c.world.ontology).test(code.text)) c.world.add('reads', 'one', 'database', c.excerpt);
  for (const m of code.text.matchAll(clientShells(c.world.ontology))) c.world.run('shell', m[1]!);
  // What the statements select goes into the command behind a bar.
  for (const [, command, pipe, program] of code.text.matchAll(CLIENT_PIPE))
    c.world.run('shell', command ?? program ?? `${SELECTED} ${pipe}`);
}

/** Stands for the program that prints rows of a database. */
const SELECTED = 'pg_dump shop';

/** A command behind the signs of a client: `\\! ls`, `\\o | mail ana`, `\\copy t from program 'ls'`. */
const CLIENT_PIPE =
  /(?:^|[\s;])\\(?:!\s{0,16}([^\n]{2,400})|(?:o|out|g|gx|w|write)\s{0,8}(\|[^\n]{2,400})|copy\b[^\n]{0,400}?\bprogram\s{1,8}'([^'\n]{2,400})')/gi;

const mongo: Reader = (k) => {
  const withValue = k.words('with_value');
  const codeOptions = k.options('code');
  const deletesAll = k.pattern('deletes_all');
  const deletes = k.pattern('deletes');
  const writes = k.pattern('writes');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const scripts = options.operands
      .filter(({ text: file }) => /\.m?js$/.test(file))
      .map((file) => readOperand(c, file).text);
    const text = [
      options.value(codeOptions),
      ...options.values(['f', 'file']).map((file) => readOperand(c, file).text),
      ...scripts,
      c.stdin?.text ?? '',
    ].join(' ');
    noteDocumentOperations(c.world, text);
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
  const plants = k.pattern('plants');
  const stops = k.pattern('stops');
  const withValue = k.words('with_value');
  const hostOptions = k.options('host');
  return (c) => {
    const text =
      `${lineOf(c)} ${c.stdin?.text ?? ''} ${c.args.map(({ content }) => content?.text ?? '').join(' ')}`.toUpperCase();
    const options = readOptions(c.args, withValue);
    const place = options.value(hostOptions);
    // Without a place it is the one on this machine.
    const isOwn = place === '' || isLoopback(hostOf(place) || place);
    if (plants.test(text)) c.world.add('persists', 'one', 'files of the database server', c.excerpt);
    if (stops.test(text)) c.world.add('disrupts', isOwn ? 'one' : 'many', 'database', c.excerpt);
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

export const DATABASE_READERS: Readers = {
  database,
  mongo,
  redis,
  dump_database: dumpDatabase,
  drop_database: dropDatabase,
};
