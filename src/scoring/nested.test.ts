/** Which forms of an event are judged beside it, and how many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, knowledge } from '../../test/support/knowledge.ts';
import { ontology } from '../../test/support/readings.ts';
import type { AgentEvent, Message } from '../events/event.ts';
import { formsBeside } from './nested.ts';
import { NO_POLICY } from './policy/policy.ts';
import { read } from './score.ts';

const paid = (remarks: number, surplus: number, length = 10): AgentEvent => {
  const text = 'The list is long. '.repeat(length);
  const history: Message[] = [
    { role: 'user', content: 'Pay the bill of the carpenter.' },
    { role: 'assistant', content: 'read_bill({"id": 4})' },
    { role: 'tool', content: `Bill 4: 80 euros. ${text}` },
    ...Array.from({ length: surplus }, (): Message => ({ role: 'tool', content: text })),
  ];
  const why = 'It is due today. '.repeat(length);
  const names = ['note', 'comment', 'remark', 'memo'].slice(0, remarks);
  return asEvent({
    action: 'bank:money:transfer',
    parameters: { amount: 80, ...Object.fromEntries(names.map((name) => [name, why])) },
    conversation_history: history,
  });
};

test('an event without remarks and unexplained messages has no further form', () => {
  assert.deepEqual(formsBeside(paid(0, 0), ontology), []);
});

test('the barest forms come first', () => {
  const forms = formsBeside(paid(2, 1), ontology);
  assert.ok(forms.length > 4, `${forms.length}`);
  const [bare, barest] = forms;
  assert.deepEqual(Object.keys(bare!.parameters!), ['amount']);
  assert.equal(bare!.conversation_history!.length, 4);
  assert.deepEqual(Object.keys(barest!.parameters!), ['amount']);
  assert.equal(barest!.conversation_history!.length, 3);
});

test('the longer an event, the fewer of its forms are scored', () => {
  const counts = [10, 100, 1_000].map((length) => formsBeside(paid(4, 2, length), ontology).length);
  assert.ok(counts[0]! > counts[1]! && counts[1]! > counts[2]!, counts.join(' '));
  assert.equal(counts[2], 2);
});

test('a reading says how many events were read for it', () => {
  const plain = read(paid(0, 0), NO_POLICY, knowledge);
  plain.score(null);
  assert.equal(plain.read_count, 1);
  const reading = read(paid(1, 0), NO_POLICY, knowledge);
  assert.equal(reading.read_count, 1, 'before it is scored');
  reading.score(null);
  assert.equal(reading.read_count, 2);
});

test('what a result says in passing is left out with the remarks and without', () => {
  const event = paid(1, 0);
  const history = event.conversation_history!;
  const again = { ...history[2]!, content: `${history[2]!.content as string} 80 it is.` };
  const forms = formsBeside({ ...event, conversation_history: history.with(2, again) }, ontology);
  const left = forms.map(({ conversation_history, parameters }) => [
    String(conversation_history![2]!.content).match(/80/g)?.length,
    Object.keys(parameters!).length,
  ]);
  assert.deepEqual(left, [
    [2, 1],
    [1, 1],
    [1, 1],
    [1, 2],
    [1, 2],
  ]);
});
