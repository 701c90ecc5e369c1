import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asEvent, knowledge } from '../../../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { workingCopy } from '../../../../events/working-copy.ts';
import { hiddenRecord } from '../../values/records/records-cut.ts';
import { perCallNames } from './call-names.ts';

const { ontology } = knowledge;
const called = (more: Partial<AgentEvent>): AgentEvent =>
  workingCopy(asEvent({ action: 'crm:contact:update', ...more }));

test('calls of the same names share a reading, whatever their values are', () => {
  const namesOf = perCallNames((names) => names);
  const first = called({ parameters: { userId: 7, body: { amount: 1 } } });
  const second = called({ parameters: { userId: 8, body: { amount: 2 } } });
  assert.equal(namesOf(first, ontology), namesOf(second, ontology));
  assert.deepEqual(namesOf(first, ontology).keys, ['userId', 'body', 'amount']);
  assert.deepEqual(namesOf(first, ontology).names, ['user_id', 'body', 'amount']);
});

test('names that only look alike when they are written together share none', () => {
  const namesOf = perCallNames((names) => names);
  const pairs: [Partial<AgentEvent>, Partial<AgentEvent>][] = [
    [{ parameters: { ab: 1, c: 1 } }, { parameters: { a: 1, bc: 1 } }],
    [{ parameters: { 'a1 b': 1 } }, { parameters: { a: 1, b: 1 } }],
    [
      { mcp_context: { tool_name: 'send', server_name: 'mail' } },
      { mcp_context: { tool_name: 'sendmail', server_name: '' } },
    ],
  ];
  for (const [one, other] of pairs)
    assert.notDeepEqual(namesOf(called(one), ontology), namesOf(called(other), ontology));
});

test('a call of more names than are kept is read by its values', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, { inner: {} }]));
  const parameters = { ...many, hide_from_audit: true };
  assert.equal(perCallNames(({ is_cut }) => is_cut)(called({ parameters }), ontology), true);
  assert.equal(hiddenRecord(called({ parameters }), ontology), 'hide_from_audit');
  assert.equal(hiddenRecord(called({ parameters: { hide_from_audit: true } }), ontology), 'hide_from_audit');
  assert.equal(hiddenRecord(called({ parameters: { name: 'a' } }), ontology), '');
});
