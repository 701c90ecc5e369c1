import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, scoreOf } from '../../test/support/knowledge.ts';
import { unreadFields } from '../events/event.ts';
import { eventSchema } from '../events/event-schema.ts';

const flagsOf = (event: Parameters<typeof scoreOf>[0] & Record<string, unknown>) => scoreOf(event).behavioral_flags;

test('an event of which nothing was recognised says so', () => {
  assert.ok(flagsOf({ action: 'zorp:blif:quux', parameters: { a: 1 } }).includes('nothing_recognised'));
  assert.ok(!flagsOf({ action: 'zorp:blif:quux', parameters: { command: 'ls' } }).includes('nothing_recognised'));
  assert.ok(!flagsOf({ action: 'email:message:send' }).includes('nothing_recognised'));
});

test('fields that nothing reads are named', () => {
  const flags = flagsOf({ action: 'email:message:read', colour: 'red' });
  assert.ok(flags.includes('field_not_read:colour'), flags.join());
  assert.deepEqual(unreadFields(asEvent({ action: 'a:b:c' })), []);
});

test('every field of the schema is read', () => {
  const all = Object.fromEntries(Object.keys(eventSchema.properties).map((name) => [name, 'x']));
  assert.deepEqual(unreadFields(all as never), []);
});
