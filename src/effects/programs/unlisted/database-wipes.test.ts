/** Commands that empty a database, in any form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../../test/support/effects.ts';
import { loadOntology } from '../../../engine/knowledge/load-ontology.ts';
import { walkOf } from '../../../events/parameters.ts';
import type { JsonObject } from '../../../lang/json.ts';
import type { Language } from '../../world.ts';
import { wipesIn } from './database-wipes.ts';

const ontology = loadOntology();
const wipes = (code: string, language: Language): boolean =>
  effectsOf(code, language).some((e) => e.startsWith('destroys_data '));

test('commands of frameworks that empty a database destroy it', () => {
  for (const command of [
    'python manage.py flush --noinput',
    'python3 manage.py reset_db',
    'php artisan db:wipe --force',
    'php artisan migrate:refresh',
    'php bin/console doctrine:database:drop --force',
    'npx prisma migrate reset --force',
    'npx sequelize db:migrate:undo:all',
    'flask db downgrade base',
    'dotnet ef database drop -f',
    'mix ecto.reset',
  ])
    assert.ok(wipes(command, 'shell'), command);
});

test('commands of frameworks that look, go forward or only print are no loss', () => {
  for (const command of [
    'python manage.py migrate',
    'python manage.py flush --dry-run',
    'python report.py --title flush',
    'php artisan migrate:status',
    'npx prisma migrate dev --name add_cart',
    'flask db upgrade',
    'ccache flush',
  ])
    assert.ok(!wipes(command, 'shell'), command);
});

test('calls of drivers that empty a database destroy it', () => {
  const calls: [string, Language][] = [
    ["import pymongo\npymongo.MongoClient().drop_database('shop')", 'python'],
    ["import pymongo\npymongo.MongoClient().shop.command('dropDatabase')", 'python'],
    ["import redis\nredis.Redis().execute_command('FLUSHALL')", 'python'],
    ["es.transport.perform_request('DELETE', '/_all')", 'python'],
    ["es.transport.perform_request('POST', '/orders/_delete_by_query')", 'python'],
    ["import requests\nrequests.delete('https://search.local/logs-*')", 'python'],
    ['await db.admin().command({ dropDatabase: 1 })', 'javascript'],
    ["await redis.sendCommand(['FLUSHDB'])", 'javascript'],
    ["await client.indices.delete({ index: '_all' })", 'javascript'],
  ];
  for (const [code, language] of calls) assert.ok(wipes(code, language), code);
});

test('calls of drivers that read, or that remove one thing, do not', () => {
  const calls: [string, Language][] = [
    ["import redis\nredis.Redis().execute_command('DBSIZE')", 'python'],
    ["es.transport.perform_request('GET', '/_cat/indices')", 'python'],
    ["import requests\nrequests.delete('https://api.local/carts/7')", 'python'],
    ["await client.indices.exists({ index: 'orders' })", 'javascript'],
    ['const flushAll = () => queue.flush();', 'javascript'],
  ];
  for (const [code, language] of calls) assert.ok(!wipes(code, language), code);
});

test('a command of a database among parameters is one, as value, as key or as JSON in a text', () => {
  const found: JsonObject[] = [
    { command: 'FLUSHALL' },
    { cmd: 'flushdb async' },
    { command: { dropDatabase: 1 } },
    { command: '{"dropDatabase": 1}' },
    { operation: 'drop_keyspace', name: 'shop' },
    { command: { delete: 'users', deletes: [{ q: {}, limit: 0 }] } },
  ];
  for (const parameters of found)
    assert.notDeepEqual(wipesIn(ontology, walkOf(parameters)), [], JSON.stringify(parameters));
});

test('the same words as a name, an element of a list, or with a filter are none', () => {
  const found: JsonObject[] = [
    { command: 'GET user:42' },
    { title: 'flushall' },
    { denied: ['dropDatabase', 'flushall'] },
    { dropDatabase: false },
    { command: { delete: 'users', deletes: [{ q: { id: 7 }, limit: 1 }] } },
    { filter: {}, collection: 'users' },
  ];
  for (const parameters of found)
    assert.deepEqual(wipesIn(ontology, walkOf(parameters)), [], JSON.stringify(parameters));
});

test('a block of SQL executes the statements that it builds', () => {
  for (const body of [
    `EXECUTE format('DROP TABLE %I', r.name)`,
    'EXECUTE format($q$truncate %I cascade$q$, r.name)',
    `EXECUTE 'DELETE FROM ' || r.name`,
  ])
    assert.ok(
      effectsOf(`DO $$ BEGIN FOR r IN SELECT 1 LOOP ${body}; END LOOP; END $$`, 'sql').includes('deletes everything'),
      body,
    );
  assert.deepEqual(
    effectsOf('DO $$ BEGIN PERFORM 1; END $$', 'sql').filter((e) => e.startsWith('deletes')),
    [],
  );
});

test('files are emptied by code that prints nothing, and by nothing that is written to each', () => {
  for (const code of [`perl -ni -e '' ~/Documents/*`, `ruby -i -ne '1' ~/Documents/*`, `perl -i -ne '' ~/Documents/*`])
    assert.ok(wipes(code, 'shell'), code);
  for (const code of [`perl -ni -e 'print if /x/' ~/Documents/*`, `perl -pi -e 's/a/b/' ~/Documents/*`])
    assert.ok(!wipes(code, 'shell'), code);
  assert.ok(
    effectsOf(
      'Get-ChildItem D:\\data -Recurse -File | % { [IO.File]::WriteAllBytes($_.FullName, @()) }',
      'powershell',
    ).includes('deletes many'),
  );
});

test('a copy that makes its target like its source destroys what the source lacks', () => {
  assert.ok(wipes('robocopy C:\\empty C:\\Users\\ana\\Documents /MIR', 'cmd'));
  assert.ok(wipes('robocopy C:\\empty D:\\shares /e /purge', 'cmd'));
  assert.ok(!wipes('robocopy build\\out C:\\inetpub\\app /e', 'cmd'));
});
