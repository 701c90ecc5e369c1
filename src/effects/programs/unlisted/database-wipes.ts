/** Commands that empty a whole database, in whatever form they are given. */
import { type ParameterWalk, walkOf } from '../../../events/parameters.ts';
import { isObject, type Json, parseJson } from '../../../lang/json.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, wordOf } from '../../../ontology/words.ts';
import { readDeviceCalls } from '../../administered/devices.ts';
import { noteDocumentOperations } from '../../administered/documents.ts';
import { destroyForGood } from '../../deeds/delete-file.ts';
import { type Call, type Field, isDryRun } from '../../shell/call.ts';
import type { World } from '../../world.ts';
import { removesWidely } from '../fetching/remote-deletes.ts';

export const databaseWipes = perOntology((ontology) => {
  const wipes = (name: string): RegExp => patternOf(ontology, 'database_wipes', name);
  return {
    command: wipes('command'),
    call: wipes('call'),
    loop: wipes('loop'),
    rows: wipes('rows'),
    refills: wipes('refills'),
    framework: wipes('framework'),
    words: wipes('framework_words'),
    schema_changes: wipes('schema_changes'),
    production: wordOf(ontology, 'production_words'),
    management: wipes('management'),
    named: wipes('named'),
    collection: wipes('collection'),
    bulk: wipes('bulk'),
  };
});

/** Words of a command that are read, and characters of code in which calls are looked for. */
const MAX_WORDS = 4;
const MAX_CODE = 16_000;
const MAX_INNER = 64_000;
const MAX_COMMAND = 48;
/** A request to a service as two texts: `perform_request('DELETE', '/_all')`. */
const REQUEST = /["'`]([A-Z]{4,6})["'`]\s{0,8},\s{0,8}(?:\w{1,16}\s{0,2}=\s{0,2})?["'`](\/[\w*,./%-]{1,200})["'`]/g;
/** What may follow the one word: how it is done, or the number of the database. */
const ARGUMENTS = /(?:\s{1,8}(?:a?sync|\d{1,3}))?\s{0,8};?$/i;

/**
 * Notes a command of a framework or tool that empties its database: `artisan migrate:fresh`, `dotnet ef database drop`.
 *
 * @param isOfProject the words are those of a program of the project, whose `flush` is known to be that of a database
 */
export function noteDatabaseWipe(c: Call, args: readonly Field[], isOfProject = false): boolean {
  const { framework, words, management } = databaseWipes(c.world.ontology);
  const operands = args.filter(({ text }) => !text.startsWith('-') && !/\s/.test(text)).map(({ text }) => text);
  const line = args
    .slice(0, MAX_WORDS)
    .map(({ text }) => text)
    .join(' ');
  const [first = ''] = operands;
  const isWipe =
    framework.test(first) ||
    (isOfProject && management.test(args[0]?.text ?? '')) ||
    words.test(operands.slice(0, MAX_WORDS).join(' ')) ||
    words.test(line);
  if (!isWipe || isDryRun(c, args)) return false;
  destroyForGood(c.world, 'many', operands.slice(0, MAX_WORDS).join(' ') || c.name, c.excerpt);
  return true;
}

/**
 * Notes a command that changes the schema of a database as it is written down: `alembic upgrade head`, `drizzle-kit push`. On a
 * database of production, which the command line names, it changes what others work with.
 *
 * @param isMadeAnew the command destroys what was there, so that nothing is changed
 */
export function noteSchemaChange(c: Call, isMadeAnew: boolean): void {
  const { schema_changes, production } = databaseWipes(c.world.ontology);
  const operands = c.args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  if (!schema_changes.test([c.name, ...operands.slice(0, MAX_WORDS)].join(' ')) || isDryRun(c, c.args)) return;
  if (!isMadeAnew) c.world.add('alters_schema', 'one', 'database', c.excerpt);
  if (production.test(c.excerpt)) c.world.add('deploys', 'everything', 'schema of the production database', c.excerpt);
}

/** Notes calls in code that empty a database: `client.db().command({ dropDatabase: 1 })`, `redis.call('FLUSHALL')`. */
export function noteWipesInCode(world: World, code: string): void {
  const text = code.slice(0, MAX_CODE);
  const { call: calls, loop, rows, refills } = databaseWipes(world.ontology);
  const call = calls.exec(text) ?? loop.exec(text);
  if (call !== null) destroyForGood(world, 'everything', 'database', call[0]);
  const all = call === null ? rows.exec(text) : null;
  if (all !== null && refills.test(text)) world.add('deletes', 'one', 'database', all[0]);
  else if (all !== null) destroyForGood(world, 'many', 'database', all[0]);
  noteDocumentOperations(world, text);
  readDeviceCalls(world, text);
  for (const [request, method = '', path = ''] of text.matchAll(REQUEST)) removesWidely(world, method, path, request);
}

/** Such commands among the parameters of a call: as the value of a command, as a key, or in JSON within a text. */
export function wipesIn(ontology: Ontology, walk: ParameterWalk, depth = 0): string[] {
  const { command, collection, bulk, named } = databaseWipes(ontology);
  const found: string[] = [];
  const isBulk = walk.entries.some(({ key }) => bulk.test(key));
  for (const { key, value } of walk.entries)
    if (command.test(key) && isSet(value)) found.push(key);
    else if (isBulk && collection.test(key) && isEmptyObject(value)) found.push(`${key}: {}`);
  for (const { key, value, is_element } of walk.leaves) {
    if (typeof value !== 'string' || is_element || value.length > MAX_INNER) continue;
    const text = value.trim();
    if (named.test(key) && text.length <= MAX_COMMAND && command.test(text.replace(ARGUMENTS, ''))) found.push(text);
    else if (depth < 2 && text.startsWith('{') && text.endsWith('}')) {
      const inner = parseJson(text);
      if (isObject(inner)) found.push(...wipesIn(ontology, walkOf(inner), depth + 1));
    }
  }
  return found;
}

const isSet = (value: Json): boolean => value !== false && value !== 0 && value !== null && value !== '';
const isEmptyObject = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;
