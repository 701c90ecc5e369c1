import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanRecords } from './records.ts';

const read = (text: string): object[] => scanRecords(text).records.map((fields) => Object.fromEntries(fields));

test('reads records of JSON, also within other records', () => {
  assert.deepEqual(read('{"order_id": "7", "items": [{"id": 1, "name": "lamp"}], "open": true}'), [
    { id: '1', name: 'lamp' },
    { order_id: '7', open: 'true' },
  ]);
});

test('reads records of a Python representation, with apostrophes in words', () => {
  assert.deepEqual(read(`[{'id': '7', 'subject': "Ana's report", 'at': 'it''s', 'size': nan}]`)[0], {
    id: '7',
    subject: "Ana's report",
    at: 'it',
    size: 'nan',
  });
});

test('skips prose, and an apostrophe in it opens no text', () => {
  assert.deepEqual(read(`It's what I've found: {"id": "7"} and that's all`), [{ id: '7' }]);
});

test('tells a result that was cut off', () => {
  assert.equal(scanRecords('[{"id": "7"}]').is_cut, false);
  assert.equal(scanRecords('[{"id": "7"}, {"id": "8", "na').is_cut, true);
  assert.equal(scanRecords('[{"id": "7"}, ').is_cut, true);
});

test('is linear in texts of brackets and quotation marks', () => {
  for (const text of [
    '{'.repeat(50_000),
    `{${'"'.repeat(50_001)}`,
    `{"a":${"'".repeat(50_000)}`,
    '{"a":{'.repeat(9_000),
  ])
    assert.ok(scanRecords(text).records.length <= 33);
});
