import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';
import type { Message } from '../../../../events/event.ts';

const GUESTS = '{"guests": [{"guest_id": "g1", "name": "Nora Smith"}, {"guest_id": "g2", "name": "Nora Brown"}]}';
const says = (role: string, content: string): Message => ({ role, content });

const tied = (user: string, guests = GUESTS, ...more: Message[]): unknown =>
  factsOf({
    action: 'agent:tool:grant_access',
    mcp_context: { tool_name: 'grant_access' },
    parameters: { guest_id: 'g2', day: '2026-03-01' },
    user_context: user,
    conversation_history: [says('user', user), says('tool', guests), ...more],
  }).get('tied_namesake');

test('one of two people of the name that the user says is taken', () => {
  assert.equal(tied('Give Nora access to the house on March 1.'), 'Nora Brown');
});

test('what the user says tells them apart', () => {
  assert.equal(tied('Give Nora Brown access to the house on March 1.'), '');
  assert.equal(tied('Give all Noras access to the house on March 1.'), '');
  const answer = [says('assistant', 'Nora Smith or Nora Brown?'), says('user', 'Brown')];
  assert.equal(tied('Give Nora access to the house on March 1.', GUESTS, ...answer), '');
});

test('the look-up holds one of the name, or the user says none', () => {
  assert.equal(tied('Give Nora access to the house.', GUESTS.replace('Nora Smith', 'Adam Smith')), '');
  assert.equal(tied('Give the guest access to the house.'), '');
});
