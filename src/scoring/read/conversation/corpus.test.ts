import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent } from '../../../../test/support/knowledge.ts';
import { ontology } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { corpusOf } from './corpus.ts';
import { readText } from './text.ts';

const corpus = (event: Partial<AgentEvent>) =>
  corpusOf(readText(asEvent({ action: 'crm:contact:read', ...event }), ontology));

test('the request of a session is read once for all of its actions, whatever its results say', () => {
  const user_context = 'Find the number of Ana.';
  const first = corpus({ user_context });
  const second = corpus({
    action: 'crm:contact:update',
    user_context,
    conversation_history: [{ role: 'tool', content: 'Ana: 0171' }],
  });
  assert.equal(second.user, first.user);
  assert.equal(first.tool.is_empty, true);
  assert.equal(second.tool.is_empty, false);
  assert.notEqual(corpus({ user_context: 'Find the number of Ben.' }).user, first.user);
});

test('the stretches of all sides stand in the order of the conversation', () => {
  const { stretches, user, tool, agent } = corpus({
    user_context: 'Find the number of Ana.',
    conversation_history: [
      { role: 'assistant', content: 'Looking her up.' },
      { role: 'tool', content: 'Ana: 0171' },
      { role: 'user', content: 'Call her.' },
    ],
  });
  assert.deepEqual(
    stretches.map(({ segment }) => segment.index),
    [-1, 0, 1, 2],
  );
  assert.deepEqual(
    [user, agent, tool, user].map(({ stretches: own }, i) => own.includes(stretches[i]!)),
    Array(4).fill(true),
  );
});

test('the words of a message are not taken for those of a request', () => {
  const alone = corpus({ user_context: 'Pay the bill.' });
  const said = corpus({ conversation_history: [{ role: 'user', content: 'Pay the bill.' }] });
  assert.notEqual(said.user, alone.user);
  assert.equal(said.stretches[0]?.segment.index, 0);
});
