import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology, talk } from '../../../../test/support/readings.ts';
import type { Message } from '../../../events/event.ts';
import { withoutUnexplained } from './unexplained.ts';

const user = talk(['user', 'Go on.']);
const call = talk(['assistant', 'find({"id": "a"})']);
const said = (...texts: string[]): Message[] => texts.map((content) => ({ role: 'tool', content }));
/** What tools say in each event that is left. */
const left = (...history: Message[]) =>
  withoutUnexplained(eventOf({ conversation_history: history }), ontology).map((event) =>
    event.conversation_history!.filter(({ role }) => role === 'tool').map(({ content }) => content),
  );

test('where each message answers a call, nothing is left out', () => {
  assert.deepEqual(left(...user, ...call, ...said('one')), []);
  assert.deepEqual(left(...user, ...call, ...call, ...said('one', 'two')), []);
});

test('where no call is recorded, nothing tells messages apart', () => {
  assert.deepEqual(left(...user, ...said('one', 'two')), []);
});

test('of more messages than calls each may be the one that was put in', () => {
  assert.deepEqual(left(...user, ...call, ...said('one', 'two')), [['one'], ['two']]);
  assert.deepEqual(left(...user, ...call, ...call, ...said('one', 'x', 'two')), [
    ['one', 'x'],
    ['one', 'two'],
    ['x', 'two'],
  ]);
});

test('a message behind words that call nothing answers none, whatever its role', () => {
  const odd = { role: 'observation', content: 'x' };
  assert.deepEqual(left(...user, ...call, ...said('one'), ...talk(['assistant', 'Done.']), odd), [['one']]);
  assert.deepEqual(left(...user, ...said('x'), ...call, ...said('one')), [['one']]);
});

test('a conversation that lacks its beginning opens with answers', () => {
  assert.deepEqual(left(...said('zero'), ...call, ...said('one')), []);
});

test('results among the parts of a message of the user answer calls', () => {
  const answered = { role: 'user', content: [{ type: 'tool_result', content: 'one' }] };
  assert.deepEqual(left(...user, ...call, answered), []);
  assert.deepEqual(left(...user, ...call, answered, ...said('x')), [[]]);
});
