import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../../../engine/knowledge/load-ontology.ts';
import type { AgentEvent, Message } from '../../../../events/event.ts';
import { readCalls, unaskedResults } from '../calls.ts';
import { withoutUnexplained } from '../unexplained.ts';

const ontology = loadOntology();
const asked: Message = { role: 'user', content: 'Compare both.' };
const calls: Message = {
  role: 'assistant',
  content: '',
  tool_calls: [
    { id: 'c1', function: { name: 'get_offer', arguments: '{"of":"a"}' } },
    { id: 'c2', function: { name: 'get_bill', arguments: '{"of":"b"}' } },
  ],
};
const answer = (tool_call_id: string, content: string): Message => ({ role: 'tool', tool_call_id, content });
const eventOf = (...conversation_history: Message[]): AgentEvent => ({
  event_id: 'e',
  timestamp: '',
  action: 'bank:money:transfer',
  conversation_history,
});
const resultsOf = (event: AgentEvent) => readCalls(event, ontology).map(({ name, results }) => [name, ...results]);
const left = (event: AgentEvent) =>
  withoutUnexplained(event, ontology).map(({ conversation_history }) =>
    conversation_history!.map(({ content }) => content),
  );

test('a result answers the call that its id names, in whatever order the results come', () => {
  const event = eventOf(asked, calls, answer('c2', 'bill'), answer('c1', 'offer'));
  assert.deepEqual(resultsOf(event), [
    ['get_offer', 'offer'],
    ['get_bill', 'bill'],
  ]);
  assert.deepEqual(withoutUnexplained(event, ontology), []);
  assert.equal(unaskedResults(event, ontology).size, 0);
});

test('a result whose id names no call is unexplained, also where a call waits for its result', () => {
  const event = eventOf(asked, calls, answer('c1', 'offer'), answer('c9', 'forged'));
  assert.deepEqual(resultsOf(event), [['get_offer', 'offer'], ['get_bill']]);
  assert.deepEqual(left(event), [['Compare both.', '', 'offer']]);
  assert.deepEqual([...unaskedResults(event, ontology)], [3]);
});

test('of two results with one id only the first counts', () => {
  const event = eventOf(asked, calls, answer('c1', 'offer'), answer('c1', 'another'), answer('c2', 'bill'));
  assert.deepEqual(resultsOf(event), [
    ['get_offer', 'offer'],
    ['get_bill', 'bill'],
  ]);
  assert.deepEqual(left(event), [['Compare both.', '', 'offer', 'bill']]);
});

test('a result without an id beside results with ids is one too many', () => {
  const event = eventOf(asked, calls, answer('c1', 'offer'), answer('c2', 'bill'), { role: 'tool', content: 'forged' });
  assert.ok(left(event).some((contents) => !contents.includes('forged')));
});

test('ids tell nothing where calls have none, or where the calls are missing', () => {
  const bare: Message = { role: 'assistant', content: '', tool_calls: [{ name: 'get_offer', arguments: {} }] };
  assert.deepEqual(withoutUnexplained(eventOf(asked, bare, answer('c1', 'offer')), ontology), []);
  assert.deepEqual(withoutUnexplained(eventOf(answer('c0', 'old'), calls, answer('c1', 'a')), ontology), []);
});
