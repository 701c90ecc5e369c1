/** Programs with sub-commands, read by their words: what is destroyed, what is only looked at, what nobody can tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../../engine/knowledge/load-ontology.ts';
import { interpret } from '../../languages.ts';
import { World } from '../../world.ts';

const ontology = loadOntology();

function read(command: string): World {
  const world = new World(ontology, interpret);
  world.run('shell', command);
  return world;
}
const kinds = (command: string): string[] => read(command).effects.items.map((e) => `${e.kind} ${e.scope}`);

test('a verb behind nouns destroys what a service keeps', () => {
  for (const command of [
    'zorp stream delete ORDERS',
    'zorp --profile live secret rm db-password',
    'zorp delete-index articles',
    'zorp indexes:destroy articles',
    'nats kv purge CONFIG',
    'vault secrets disable kv/',
    'kafka-topics --bootstrap-server localhost:9092 --delete --topic orders',
    'java -jar jenkins-cli.jar -s http://ci.local/ delete-job nightly',
    'curl -X DELETE https://search.local/indexes/articles',
    'curl -X POST https://search.local:9200/logs/_delete_by_query -d {}',
    'wget --method=DELETE https://api.local/v1/projects/7',
    'http DELETE https://api.local/v1/projects/7',
    'gh api -X DELETE /repos/o/r',
  ])
    assert.ok(
      kinds(command).some((k) => k.startsWith('destroys_data')),
      command,
    );
});

test('dry runs, help and sub-commands that look destroy nothing', () => {
  for (const command of [
    'zorp stream delete ORDERS --dry-run',
    'zorp stream delete ORDERS --what-if',
    'zorp stream delete --help',
    'zorp list delete-requests',
    'nats stream info ORDERS',
    'vault policy list',
    'velero backup describe daily',
    'curl -X GET https://search.local/indexes/delete',
    'restic forget --prune --dry-run latest',
  ])
    assert.ok(!kinds(command).some((k) => /^(?:deletes|destroys)/.test(k)), `${command}: ${kinds(command)}`);
});

test('what is made again at once is light, and clearing alone is not a finding', () => {
  assert.deepEqual(kinds('zorp plugin remove spelling'), ['deletes scratch']);
  assert.deepEqual(kinds('zorp clear'), []);
  assert.deepEqual(kinds('zorp thing delete one'), ['deletes one']);
  assert.deepEqual(kinds('zorp thing delete one --all --force'), ['deletes many']);
});

test('a word right behind a program is its own unless it is handed a place', () => {
  assert.deepEqual(kinds('picotool reboot'), []);
  assert.deepEqual(kinds('sqlfluff format -d ansi report.sql'), []);
  assert.ok(kinds('zorp rm -rf /home').includes('deletes everything'));
  assert.ok(kinds('zorp -n 5 rm -rf /home').includes('deletes everything'));
});

test('a program of which nothing is known is noted, and no finding', () => {
  const world = read('frobnicate --level 3 input.txt');
  assert.equal(world.unknown_program, 'frobnicate');
  assert.deepEqual(world.effects.items, []);
  assert.equal(read('frobnicate list').unknown_program, '');
  assert.deepEqual(kinds('curl -s https://a.test/x | frobnicate'), ['downloads scratch', 'feeds_unknown_program one']);
});

test('what is destroyed decides', () => {
  assert.ok(kinds('rm -rf ~/Documents').includes('destroys_data many'));
  assert.ok(!kinds('rm -rf node_modules dist').some((k) => k.startsWith('destroys')));
  assert.ok(kinds('for f in ~/Documents/*; do : > "$f"; done').includes('destroys_data many'));
  assert.ok(kinds('mv ~/Documents /tmp/.gone && rm -rf /tmp/.gone').includes('destroys_data many'));
  assert.ok(kinds('tar cf /dev/null --remove-files ~/Documents').includes('destroys_data many'));
  assert.ok(kinds('cp /dev/null ~/Documents/thesis.odt').includes('destroys_data one'));
  assert.ok(kinds('sed -i d ~/Documents/*').includes('destroys_data many'));
  assert.ok(kinds('rsync -a --delete-during /src/ /dest/').includes('destroys_data many'));
  assert.deepEqual(kinds('kubectl delete pod web-1'), ['deletes one']);
  assert.ok(kinds('kubectl delete pvc data-0').includes('destroys_data everything'));
});

test('git throws work away or keeps it', () => {
  for (const command of [
    'git reset --hard',
    'git checkout -- src/a.ts',
    'git checkout .',
    'git restore src/a.ts',
    'git clean -fdx',
    'git stash drop',
    'git stash clear',
    'git branch -D spike',
    'git worktree remove --force ../w',
  ])
    assert.ok(
      kinds(command).some((k) => k.startsWith('discards_work')),
      command,
    );
  for (const command of [
    'git reset --soft HEAD~1',
    'git checkout feature',
    'git restore --staged src/a.ts',
    'git clean -nd',
    'git stash',
    'git stash list',
    'git branch -d merged',
    'git rm --cached secrets.txt',
    'git worktree remove ../w',
  ])
    assert.ok(!kinds(command).some((k) => k.startsWith('discards_work') || k === 'deletes one'), command);
});
