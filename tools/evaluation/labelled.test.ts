import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, readLabelled } from './labelled.ts';

const event = { action: 'email:message:send' };

test('a record needs a label and an event, the rest has defaults', () => {
  assert.deepEqual(readLabelled({ label: 1, event }, 7), {
    id: 'line 7',
    source: 'unnamed',
    group: 'line 7',
    label: 1,
    kind: 'harmful',
    label_basis: '',
    event,
  });
  assert.equal(readLabelled({ id: 'x', label: 0, event }, 1).group, 'x');
});

test('what is not a labelled record is refused with the reason', () => {
  assert.throws(() => readLabelled({ event }, 1), /`label` is missing; it must be 1 \(harmful\) or 0 \(benign\)/);
  assert.throws(() => readLabelled({ label: '1', event }, 1), /`label` is `"1"`/);
  assert.throws(() => readLabelled({ label: 1 }, 1), /needs `label` \(0 or 1\) and `event`/);
  assert.throws(() => readLabelled([1], 1), /not a labelled record/);
  assert.throws(
    () => readLabelled({ label: 1, event, source: 5 }, 1),
    /`source` of a labelled record must be a string/,
  );
});

test('the event of a line is the line itself or its `event`', () => {
  assert.equal(eventOf({ label: 1, event }), event);
  const odd = { action: 'a:b:c', event: { anything: 1 } };
  assert.equal(eventOf(odd), odd, 'an event may have a field of that name');
  assert.equal(eventOf('text'), 'text');
});
