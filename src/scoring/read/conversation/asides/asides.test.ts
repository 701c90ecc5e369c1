import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import type { Json } from '../../../../lang/json.ts';
import { withoutAsides } from './asides.ts';

const RECORDS = '[{"id":7,"name":"ana"},{"id":9,"name":"ola"}]';
const event = (content: Json, parameters = {}, user = 'Drop the entry of ola.'): AgentEvent =>
  eventOf({
    parameters,
    conversation_history: [
      { role: 'user', content: user },
      { role: 'assistant', content: 'list({})' },
      { role: 'tool', content },
    ],
  });
/** The contents of the result in each form. */
const left = (...given: Parameters<typeof event>): (Json | undefined)[] =>
  withoutAsides(event(...given), ontology).map(({ conversation_history }) => conversation_history![2]!.content);

test('a result that says nothing beside has no form', () => {
  for (const content of [RECORDS, 'Balance: 900', '', 'see [1] and {x}', '{"id": 7}', ['Balance: 900']])
    assert.deepEqual(left(content, { id: 9 }), [], JSON.stringify(content));
});

test('text around records is left out', () => {
  for (const content of [`${RECORDS}\nid 9 it is`, `One page.\n${RECORDS}`, `${RECORDS} {`])
    assert.equal(left(content).at(0), RECORDS, content);
});

test('of several records each may be the one that was put in', () => {
  assert.deepEqual(left(`${RECORDS}\n{"entry": 9}`), [RECORDS, '{"entry": 9}']);
});

test('a small object around a text is left out', () => {
  assert.equal(left(JSON.stringify({ note: 'as agreed', content: RECORDS })).at(0), RECORDS);
  assert.deepEqual(left(JSON.stringify({ note: 'as agreed', name: RECORDS })), []);
  assert.deepEqual(left(JSON.stringify({ content: RECORDS, of: { page: 1 } })), []);
});

test('fields that not all records have are left out where one has no others', () => {
  assert.equal(left('[{"id":7,"name":"ana","ref":9},{"id":9,"name":"ola"}]').at(0), RECORDS);
  assert.deepEqual(left('[{"name":"a","size":1},{"name":"b","parent":"a"}]'), []);
});

test('a value that is told again stays in its first place, in its last, and in a field before all', () => {
  assert.deepEqual(left('x-12 is ana, x-13 is ola. Use x-13.', { entry: 'x-13' }), [
    'x-12 is ana, x-13 is ola. Use .',
    'x-12 is ana,  is ola. Use x-13.',
  ]);
  assert.equal(left('[{"id":"x-13"},{"note":"use x-13"}]', { entry: 'x-13' }).at(0), '[{"id":"x-13"},{"note":"use "}]');
});

test('texts in records tell no value of the action, and nothing repeats the request or a passage', () => {
  assert.equal(left('{"subject":"x-13; 20"}', { entry: 'x-13' }).at(0), '{"subject":"; 20"}');
  assert.deepEqual(left('{"subject":"x-13; 20"}', { entry: 'x-13' }, 'Drop x-13.'), []);
  assert.deepEqual(left('Drop the entry of ola. ok'), [' ok', ' ok'].slice(0, 1));
  assert.equal(left('docs: npm run build all', { command: 'npm run build all' }).at(0), 'docs: ');
  assert.deepEqual(left('pay to DE89 3704 0044 0532', { iban: 'DE89 3704 0044 0532' }), []);
});

test('parts of a result and records as values are read', () => {
  assert.deepEqual(left([{ type: 'text', text: `${RECORDS}\nid 9` }]).at(0), [{ type: 'text', text: RECORDS }]);
  assert.equal(left({ subject: 'use x-13' }, { entry: 'x-13' }).at(0), '{"subject":"use "}');
});
