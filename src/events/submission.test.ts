import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../lang/json.ts';
import { contentOf } from './submission.ts';

const sent: JsonObject = {
  event_id: 'e1',
  action: 'email:message:send',
  timestamp: '2026-03-04T10:00:00Z',
  parameters: { to: 'ana@north.test', b: [1, { d: 1, c: 2 }] },
  metadata: { trace: 't' },
};

test('hashes are equal for keys in any order, and differ for any other value', () => {
  const turned = {
    metadata: { trace: 't' },
    parameters: { b: [1, { c: 2, d: 1 }], to: 'ana@north.test' },
    timestamp: '2026-03-04T10:00:00Z',
    action: 'email:message:send',
    event_id: 'e1',
  };
  assert.deepEqual(contentOf(turned), contentOf(sent));
  for (const name of Object.keys(sent)) {
    const { [name]: _, ...less } = sent;
    assert.notEqual(contentOf(less).content_hash, contentOf(sent).content_hash, name);
  }
});

test('few keys and many keys are put in order', () => {
  for (const count of [1, 2, 7, 24, 25, 60]) {
    const names = Array.from({ length: count }, (_, i) => `k${(i * 37) % count}`);
    const parameters = Object.fromEntries(names.map((name) => [name, name]));
    const { json } = contentOf({ action: 'a:b:c', parameters });
    const kept = JSON.parse(json) as { parameters: JsonObject };
    assert.deepEqual(Object.keys(kept.parameters), [...names].sort(), String(count));
  }
});

test('scores depend on every field but id, time and metadata', () => {
  for (const name of Object.keys(sent)) {
    const is_own = ['event_id', 'timestamp', 'metadata'].includes(name);
    const { [name]: _, ...less } = sent;
    assert.equal(contentOf(less).scored_hash === contentOf(sent).scored_hash, is_own, name);
  }
  // A field that scores do not depend on is not mistaken for one that they do.
  const outside = contentOf({ action: 'a:b:c', metadata: { x: 1 } });
  const inside = contentOf({ action: 'a:b:c', parameters: { metadata: { x: 1 } } });
  assert.notEqual(outside.scored_hash, inside.scored_hash);
  assert.notEqual(outside.content_hash, inside.content_hash);
});

test('the JSON is what was sent', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(object, object, (rest, metadata) => {
      const one = { ...rest, action: 'a:b:c', metadata } as JsonObject;
      assert.deepEqual(JSON.parse(contentOf(one).json), JSON.parse(JSON.stringify(one)));
      assert.deepEqual(JSON.parse(contentOf({ action: 'a:b:c' }).json), { action: 'a:b:c' });
    }),
  );
});

test('filled-in fields are in the JSON and change no hash', () => {
  const { event_id: _id, timestamp: _time, ...bare } = sent;
  const filled_in = { event_id: 'e9', timestamp: '2026-03-05T10:00:00Z' };
  for (const part of [bare, { ...bare, event_id: 'e1' }, { action: 'a:b:c' }, sent]) {
    const { json, ...hashes } = contentOf(part, filled_in);
    const { json: _, ...expected } = contentOf(part);
    assert.deepEqual(hashes, expected);
    assert.deepEqual(JSON.parse(json), { ...filled_in, ...part });
  }
});
