/** Operations named by a parameter: they raise what a general verb says and hide nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../../test/support/readings.ts';
import { type ActionReading, readAction } from '../action.ts';
import { readContent } from '../content/content.ts';

function read(action: string, parameters: Record<string, string>): ActionReading {
  const event = eventOf({ action, parameters });
  return readAction(event, ontology, readContent(event, ontology));
}

test('a general verb takes the effect of the operation that a parameter names', () => {
  assert.equal(read('health:record:manage', { action: 'delete' }).effective_group, 'delete');
  assert.equal(read('home:device:control', { operation: 'turn off' }).effective_group, 'physical');
  assert.equal(read('bank:transaction:make', { action: 'buy' }).effective_group, 'transfer_pay');
});

test('a harmless operation lowers nothing, an unknown word or a sentence says nothing', () => {
  const plain = read('db:rows:delete', {});
  for (const action of ['list', 'frobnicate', 'please only read the rows and then stop']) {
    const named = read('db:rows:delete', { action });
    assert.equal(named.effective_group, plain.effective_group);
    assert.ok(named.base_risk >= plain.base_risk);
  }
});

test('an operation does not take the place of a specific effect, but stands beside it', () => {
  const named = read('email:message:send', { action: 'delete' });
  assert.equal(named.effective_group, 'send');
  assert.deepEqual(named.groups, ['delete', 'send']);
  assert.deepEqual(named.verbs, ['delete', 'send']);
});

test('a dispatcher does what the tool does that it calls', () => {
  assert.equal(read('desk:call_tool:call', { tool_name: 'delete_user' }).effective_group, 'delete');
  assert.equal(read('desk:execute_action:call', { action_name: 'getInvoice' }).effective_group, 'read');
  // What is not a dispatcher keeps its own verb.
  assert.equal(read('db:rows:delete', { tool_name: 'get_invoice' }).effective_group, 'delete');
});

test('opening a catalogue of tools does nothing yet', () => {
  assert.equal(read('desk:agent_tool:unlock', { agent_tool_name: 'delete_user' }).effective_group, 'read');
});

test('where machines handle things, drop and break delete nothing', () => {
  assert.equal(read('smart_home:robot:drop', { object: 'cup' }).effective_group, 'physical');
  assert.equal(read('db:table:drop', { table: 'cups' }).effective_group, 'delete');
});
