import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from './english.ts';

test('a number stands with its noun in the singular or plural', () => {
  assert.equal(counted(1, 'record'), '1 record');
  for (const count of [0, 2, 21]) assert.equal(counted(count, 'record'), `${count} records`);
  assert.deepEqual([counted(1, 'entry', 'entries'), counted(3n, 'entry', 'entries')], ['1 entry', '3 entries']);
});
