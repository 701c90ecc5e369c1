import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent } from '../../../../test/support/knowledge.ts';
import { ontology } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { corpusOf } from './corpus.ts';
import { readText } from './text.ts';

const corpus = (event: Partial<AgentEvent>) =>
  corpusOf(readText(asEvent({ action: 'crm:contact:read', ...event }), ontology));

test('the request of a session is read once for all of its actions', () => {
  const first = corpus({ user_context: 'Find the number of Ana.' });
  assert.equal(corpus({ action: 'crm:contact:update', user_context: 'Find the number of Ana.' }), first);
  assert.notEqual(corpus({ user_context: 'Find the number of Ben.' }), first);
});

test('an event with words of other speakers has a corpus of its own', () => {
  const event = {
    user_context: 'Find the number of Ana.',
    conversation_history: [{ role: 'tool', content: 'Ana: 0171' }],
  };
  const first = corpus(event);
  assert.notEqual(corpus(event), first);
  assert.equal(first.tool.is_empty, false);
  assert.equal(corpus({ user_context: 'Find the number of Ana.' }).tool.is_empty, true);
});

test('the words of a message are not taken for those of a request', () => {
  const alone = corpus({ user_context: 'Pay the bill.' });
  const said = corpus({ conversation_history: [{ role: 'user', content: 'Pay the bill.' }] });
  assert.notEqual(said, alone);
  assert.equal(said.stretches[0]?.segment.index, 0);
});
