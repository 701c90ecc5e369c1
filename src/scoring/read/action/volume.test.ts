import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf, eventOf, NO_CONTENT, ontology } from '../../../../test/support/readings.ts';
import type { Json, JsonObject } from '../../../lang/json.ts';
import { batchSizeOf, readVolume } from './target.ts';

const batch = (parameters: JsonObject): number | undefined => batchSizeOf(eventOf({ parameters }), ontology);
const DELETING = { effective_group: 'delete', name_words: ['rows', 'delete'] };
const volume = (parameters: JsonObject, content = NO_CONTENT, action = DELETING) =>
  readVolume(eventOf({ parameters }), ontology, content, action);

test('the largest explicit count, or the longest array', () => {
  assert.equal(batch({ batch_size: 500, limit: 20 }), 500);
  assert.equal(batch({ filter: { Limit: 7 }, ids: [1, 2, 3] }), 7);
  assert.equal(batch({ limit: 2, a: { ids: [1, 2, 3] } }), 3);
  assert.equal(batch({ ids: [] }), 0);
});

test('numeric text counts, so that a count cannot hide in quotes', () => {
  for (const text of ['1000000', '1,000,000', '1_000_000', ' 1e6 ', '1000000.0'])
    assert.equal(batch({ batch_size: text }), 1e6, text);
  assert.equal(batch({ batch_size: '1e400' }), Number.MAX_SAFE_INTEGER);
});

test('objects, null, words and negative numbers are no counts', () => {
  const none: Json[] = [{ valueOf: 1 }, { x: 1 }, null, 'many', '', '0x10', -5, true];
  for (const value of none) assert.equal(batch({ batch_size: value }), undefined, JSON.stringify(value));
  assert.equal(batch({ amount: 500 }), undefined);
  assert.equal(batchSizeOf(eventOf(), ontology), undefined);
  assert.equal(readVolume(eventOf(), ontology, NO_CONTENT, DELETING).batch_size, 0);
});

test('unbounded: wildcards, all, no limit, recursion from a root, a missing WHERE, effects on everything', () => {
  const unbounded: JsonObject[] = [
    { pattern: '*' },
    { recipients: ['@everyone'] },
    { ids: 'all' },
    { delete_all: true },
    { limit: -1 },
    { limit: 'unlimited' },
    { path: '/', recursive: true },
    { where: '%' },
  ];
  for (const parameters of unbounded) assert.equal(volume(parameters).is_unbounded, true, JSON.stringify(parameters));
  const bounded: JsonObject[] = [
    { path: '/', recursive: false },
    { text: 'all' },
    { delete_all: false },
    { path: 'src', recursive: true },
  ];
  for (const parameters of bounded) assert.equal(volume(parameters).is_unbounded, false, JSON.stringify(parameters));
  assert.equal(volume({}, { ...NO_CONTENT, has_unbounded_statement: true }).is_unbounded, true);
  assert.equal(volume({}, contentOf({ kind: 'deletes', scope: 'everything' })).is_unbounded, true);
  assert.equal(volume({}, contentOf({ kind: 'reads', scope: 'everything' })).is_unbounded, false);
});

test('a filter that excludes nothing selects everything, unless ids pick', () => {
  const filters: Json[] = [{}, [], '', '{}', '1=1', 'TRUE()', { query: { match_all: {} } }, { _id: { $exists: true } }];
  for (const filter of filters) {
    assert.equal(volume({ table: 'orders', filter }).is_unbounded, true, JSON.stringify(filter));
  }
  for (const filter of [{}, [], '', '{}'])
    assert.equal(volume({ table: 'orders', filter, id: 'O-7' }).is_unbounded, false, JSON.stringify(filter));
  assert.equal(volume({ table_id: 'tbl1', filter: {} }).is_unbounded, true, 'the id of the place picks nothing in it');
  const bounded: Json[] = [{ state: 'closed' }, 'state = closed', ['closed'], { _id: { $exists: false } }];
  for (const filter of bounded) assert.equal(volume({ filter }).is_unbounded, false, JSON.stringify(filter));
  const reading = { effective_group: 'read', name_words: ['rows', 'find'] };
  assert.equal(
    volume({ table: 'orders', filter: {} }, NO_CONTENT, reading).is_unbounded,
    false,
    'a look takes nothing',
  );
});

test('a tool for many things that is given their place alone selects everything in it', () => {
  const many = { effective_group: 'delete', name_words: ['rows', 'delete', 'many'] };
  assert.equal(volume({ table: 'orders' }, NO_CONTENT, many).is_unbounded, true);
  assert.equal(volume({ table: 'orders', state: 'closed' }, NO_CONTENT, many).is_unbounded, false);
  assert.equal(volume({ ids: ['O-7', 'O-8'] }, NO_CONTENT, many).is_unbounded, false);
  assert.equal(volume({ table: 'orders' }).is_unbounded, false, 'a tool for one thing');
});

test('recipients are counted once each, in lists and in one string', () => {
  assert.equal(volume({ to: ['a@x.org', 'A@x.org'], cc: 'b@x.org; c@x.org' }).recipient_count, 3);
  assert.equal(volume({ subject: 'a@x.org' }).recipient_count, 0);
});

test('a larger count never lowers the batch size, whatever stands beside it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.dictionary(fc.string(), fc.jsonValue()), (a, b, rest) => {
      const parameters = rest as JsonObject;
      const low = batch({ ...parameters, batch_size: Math.min(a, b) })!;
      const high = batch({ ...parameters, batch_size: Math.max(a, b) })!;
      assert.ok(high >= low && low >= Math.min(a, b));
    }),
  );
});
