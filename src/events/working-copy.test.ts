import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perEvent, workingCopy } from './working-copy.ts';

const event = { event_id: 'e', action: 'a:b:c', timestamp: '2026-01-01T00:00:00Z' };

test('a value is derived once for a working copy, and anew for any other event', () => {
  let made = 0;
  const one = perEvent(({ action }) => {
    made += 1;
    return { action };
  });
  const two = perEvent(({ event_id }) => ({ event_id }));
  const copy = workingCopy(event);
  assert.equal(one(copy), one(copy));
  assert.deepEqual(two(copy), { event_id: 'e' });
  assert.deepEqual(one(copy), { action: 'a:b:c' });
  assert.equal(made, 1);
  assert.notEqual(one(workingCopy(event)), one(copy));
  assert.notEqual(one(event), one(event));
  assert.equal(made, 4);
});

test('the event is not changed, and the copy reads and serialises as the event does', () => {
  const before = JSON.stringify(event);
  const copy = workingCopy(event);
  perEvent(() => ({}))(copy);
  assert.equal(JSON.stringify(event), before);
  assert.equal(JSON.stringify(copy), before);
  assert.equal(Object.getOwnPropertySymbols(event).length, 0);
});

test('a changed copy of a working copy shares no value with it', () => {
  const actionOf = perEvent(({ action }) => ({ action }));
  const copy = workingCopy(event);
  assert.deepEqual(actionOf(copy), { action: 'a:b:c' });
  const changed = { ...copy, action: 'x:y:z' };
  assert.deepEqual(actionOf(changed), { action: 'x:y:z' });
  assert.deepEqual(actionOf(workingCopy(changed)), { action: 'x:y:z' });
  assert.deepEqual(actionOf(copy), { action: 'a:b:c' });
});
