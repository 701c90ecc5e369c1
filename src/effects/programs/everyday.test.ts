/** Everyday commands that resemble grave ones, and the grave ones beside them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const kinds = (command: string, language: 'shell' | 'sql' = 'shell'): string[] => effectsOf(command, language);

test('a known program that is only asked for its help does nothing', () => {
  for (const command of ['bore -h', 'useradd --help', 'rm -h', 'dd --version']) assert.deepEqual(kinds(command), []);
  assert.ok(kinds('shutdown -h').length > 0, 'halts');
  assert.ok(kinds('./bore -h').length > 0, 'a program of nobody knows where');
  assert.ok(kinds('useradd --help eve').length > 0);
});

test('a port that only this machine reaches is no channel for others', () => {
  assert.deepEqual(kinds('kubectl port-forward deploy/web 8080:80'), ['reads one']);
  assert.ok(kinds('kubectl port-forward --address 0.0.0.0 deploy/web 8080:80').includes('opens_channel one'));
});

test('who holds one port is looked up; what is found may also be stopped', () => {
  for (const command of ['lsof -i :3000', 'lsof -nP -iTCP:3000 -sTCP:LISTEN', 'fuser 3000/tcp', 'fuser -v 53/udp'])
    assert.deepEqual(kinds(command), ['reads one'], command);
  for (const command of ['lsof', 'lsof -i', 'ss -ltnp', 'netstat -an', 'ps aux'])
    assert.deepEqual(kinds(command), ['reconnoitres one'], command);
  for (const command of ['fuser -k 3000/tcp', 'fuser --kill 3000/tcp'])
    assert.deepEqual(kinds(command), ['disrupts one'], command);
  for (const command of ['fuser -km /srv', 'ss -K dst 10.0.0.1', 'ss --kill state established'])
    assert.deepEqual(kinds(command), ['disrupts many'], command);
});

test('a look at a cluster and its configuration changes nothing; secrets stay secrets', () => {
  for (const command of [
    'kubectl config current-context',
    'kubectl config view',
    'kubectl version',
    'kubectl explain po',
  ])
    assert.deepEqual(kinds(command), ['reads one'], command);
  assert.deepEqual(kinds('kubectl config view --raw'), ['reads_credentials one']);
  assert.deepEqual(kinds('kubectl config use-context prod'), []);
});

test('the clipboard is filled, or read', () => {
  assert.ok(!kinds('echo 123 | xsel -ib').some((effect) => effect.startsWith('spies')));
  for (const command of ['xsel -b', 'echo 1 | xclip -o'])
    assert.ok(kinds(command).some((effect) => effect.startsWith('spies')));
});

test('switching on a unit that is there is less than installing one', () => {
  assert.deepEqual(kinds('systemctl enable nginx'), ['persists scratch']);
  for (const command of [
    'systemctl enable ./evil.service',
    'echo "[Service]" > /etc/systemd/system/evil.service; systemctl enable evil',
    'systemctl enable $UNIT',
    'systemctl link evil.service',
  ])
    assert.ok(kinds(command).includes('persists one'), command);
});

test('a role is a right where people are kept, or where its value is one', () => {
  const rights = (sql: string): boolean => kinds(sql, 'sql').some((effect) => effect.startsWith('escalates'));
  assert.ok(!rights("UPDATE films SET role = 'Hannah' WHERE year = 2008"));
  for (const sql of [
    "UPDATE users SET role = 'editor' WHERE id = 7",
    "UPDATE t SET role = 'admin' WHERE id = 7",
    "UPDATE t SET role = CONCAT('ad', 'min') WHERE id = 7",
    'UPDATE t SET role = $1 WHERE id = 7',
  ])
    assert.ok(rights(sql), sql);
});
