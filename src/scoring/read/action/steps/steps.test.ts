/** Calls that a call holds, whatever names they have in it, and what is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../../test/support/readings.ts';
import type { JsonObject } from '../../../../lang/json.ts';
import { readBlocks } from './blocks.ts';
import { MAX_STEPS, stepsOf } from './steps.ts';

const steps = (parameters: JsonObject): string[] =>
  stepsOf(eventOf({ action: 'workflow:run:start', parameters }), ontology).map(({ event }) =>
    [event.mcp_context?.server_name, event.mcp_context?.tool_name ?? event.action, JSON.stringify(event.parameters)]
      .filter((part) => part !== undefined)
      .join(' '),
  );

test('a step is found by its place in the plan, whatever the plan calls its parts', () => {
  const one = ['crm delete_account {"id":7}'];
  assert.deepEqual(steps({ steps: [{ tool: 'crm.delete_account', args: { id: 7 } }] }), one);
  assert.deepEqual(steps({ plan: { actions: [{ server: 'crm', action: 'delete_account', input: { id: 7 } }] } }), one);
  assert.deepEqual(steps({ task: { app: 'crm', name: 'delete_account', id: 7 } }), one);
  assert.deepEqual(steps({ calls: [{ function: { name: 'crm.delete_account', arguments: '{"id":7}' } }] }), one);
  assert.deepEqual(steps({ workflow: '{"steps":[{"uses":"crm/delete_account","with":{"id":7}}]}' }), one);
  assert.deepEqual(steps({ playbook: '- tasks:\n  - crm.delete_account:\n      id: 7\n' }), one);
  assert.deepEqual(steps({ steps: [{ type: 'crm:account:delete', input: { id: 7 } }] }), [
    'crm:account:delete {"id":7}',
  ]);
});

test('a state says what is done where the name of the module does not', () => {
  assert.deepEqual(steps({ tasks: [{ name: 'tidy', file: { path: '/srv/x', state: 'absent' } }] }), [
    'file_delete {"path":"/srv/x","state":"absent"}',
  ]);
});

test('a gateway is judged by the call that it is handed', () => {
  const passed = (action: string, parameters: JsonObject): string[] =>
    stepsOf(eventOf({ action, parameters }), ontology).map(({ event }) =>
      [event.mcp_context?.server_name ?? '', event.mcp_context?.tool_name, JSON.stringify(event.parameters)].join(' '),
    );
  const one = ['crm delete_account {"id":7}'];
  assert.deepEqual(passed('hub:action:run', { app: 'crm', action: 'delete_account', params: { id: 7 } }), one);
  assert.deepEqual(passed('hub:proxy:invoke', { target: 'crm', op: 'delete_account', id: 7 }), one);
  assert.deepEqual(passed('rpc:tools:call', { name: 'crm.delete_account', arguments: '{"id":7}' }), one);
  assert.deepEqual(passed('hub:module:run', { module: 'crm:delete_account', mapper: [{ id: 7 }] }), one);
  assert.deepEqual(passed('play:module:run', { module: 'file', args: 'path=/srv/x state=absent' }), [
    ' file_delete {"path":"/srv/x","state":"absent"}',
  ]);
  // The name of the event says itself what is done, or nothing is passed on.
  assert.deepEqual(passed('crm:record:update', { action: 'delete_account', params: { id: 7 } }), []);
  assert.deepEqual(passed('batch:job:run', { name: 'delete_account', day: 7 }), []);
  assert.deepEqual(passed('host:shell:run', { command: 'ls', op: 'delete_account' }), []);
});

test('descriptions of tools, single words and sentences are no steps', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } } };
  assert.deepEqual(steps({ actions: [{ name: 'delete_account', parameters: schema }] }), []);
  assert.deepEqual(steps({ operations: [{ op: 'remove', path: '/tags/3' }] }), []);
  assert.deepEqual(steps({ tasks: [{ name: 'Delete the old accounts, please', done: false }] }), []);
  assert.deepEqual(steps({ tool: 'crm.delete_account', id: 7 }), []);
});

test('many harmless steps do not hide a grave one', () => {
  const looks = Array.from({ length: 400 }, (_, i) => ({ tool: `get_item_${i}`, args: { i } }));
  const found = steps({ steps: [...looks, { tool: 'delete_account', args: { id: 7 } }] });
  assert.equal(found.length, MAX_STEPS);
  assert.equal(found[0], 'delete_account {"id":7}');
});

test('the commands of a plan in a text are one step', () => {
  const playbook =
    '- hosts: web\n  tasks:\n  - shell: rm -rf /srv/x\n  - name: b\n    ansible.builtin.command: "id -u"\n';
  assert.deepEqual(steps({ playbook }), ['run_command {"command":"rm -rf /srv/x\\nid -u"}']);
  assert.deepEqual(steps({ plan: 'First we look.\nThen we act.' }), []);
});

test('the block form of YAML is read as far as plans use it', () => {
  assert.deepEqual(readBlocks('a: 1\nb:\n- x\n- k: "v: w" \n  l: |\n    one\n    two\n# end\nc:\n  d: true'), {
    a: 1,
    b: ['x', { k: 'v: w', l: 'one\ntwo' }],
    c: { d: true },
  });
  assert.equal(readBlocks(`${'- '.repeat(500)}x`) === null, false);
});
