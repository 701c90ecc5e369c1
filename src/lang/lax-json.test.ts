import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLax } from './lax-json.ts';

test('JSON is read as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(parseLax(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('line breaks inside strings, and none are added outside', () => {
  assert.deepEqual(parseLax('{\n  "to": "a@b.test",\n  "body": "Dear Jo,\n\tsee \\"below\\".\n"\n}'), {
    to: 'a@b.test',
    body: 'Dear Jo,\n\tsee "below".\n',
  });
});

test('a literal of Python', () => {
  assert.deepEqual(parseLax(`{'a': 'it\\'s "so"', "b": "it's", 'c': [True, False, None], 'd': 'True', 'e': '\\x41'}`), {
    a: 'it\'s "so"',
    b: "it's",
    c: [true, false, null],
    d: 'True',
    e: 'A',
  });
});

test('what is neither holds nothing', () => {
  for (const text of ['', '{', '{a: 1}', "{'a': }", '{"a": "b', 'rm -rf /', '{{ name }}', "'a' 'b'"])
    assert.equal(parseLax(text), undefined, text);
});
