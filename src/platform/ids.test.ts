import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate, version } from 'uuid';
import { newId } from './ids.ts';

test('ids are UUIDs of version 7, unique and increasing, also within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  assert.ok(ids.every((id) => validate(id) && version(id) === 7));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids, [...ids].sort());
});

test('the parts that are random differ from id to id', () => {
  const tails = new Set(Array.from({ length: 2_000 }, () => newId().slice(-12)));
  assert.equal(tails.size, 2_000);
});
