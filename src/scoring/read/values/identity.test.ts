import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';

const session = { session_id: 's-1', user_id: 'me@north.test' };
const fact = (name: string, parts: Partial<AgentEvent>): unknown => factsOf({ session, ...parts }).get(name);

test('another identity under which the call is to act', () => {
  const as = (parameters: AgentEvent['parameters'], action = 'email:message:send'): unknown =>
    fact('acts_as', { action, parameters: parameters ?? {} });
  assert.equal(as({ send_as: 'boss@north.test' }), 'boss@north.test');
  assert.equal(as({ onBehalfOf: 'ANA' }), 'ANA');
  for (const own of ['me@north.test', 'ME@north.test', 'me', ' ']) assert.equal(as({ send_as: own }), '', own);
  assert.equal(as({ user: 'sam' }, 'iam:user:impersonate'), 'sam');
  assert.equal(as({ user: 'sam' }, 'iam:user:update'), '');
});

test('somebody else’s mailbox or home folder', () => {
  const other = (parameters: AgentEvent['parameters'], user_context = '', user_id = 'me@north.test'): unknown =>
    fact('other_persons_space', { parameters: parameters ?? {}, user_context, session: { user_id } });
  assert.equal(other({ mailbox: 'sam@north.test' }), 'sam@north.test');
  assert.equal(other({ mailbox: 'me@north.test' }), '');
  assert.equal(other({ mailbox: 'sam@north.test' }, 'Open the mailbox of sam@north.test.'), '');
  assert.equal(other({ path: '/home/sam/plan.txt' }), 'sam');
  const own = (account: string, user_id = 'tomas.reyes@north.test'): boolean =>
    factsOf({
      action: 'file:document:read',
      session: { user_id },
      parameters: { path: `/home/${account}/plan.txt` },
    }).get('other_persons_space') === '';
  for (const account of ['tomas', 'reyes', 'treyes', 'tomasr', 'tomas_reyes', 'Tomas.Reyes'])
    assert.ok(own(account), account);
  for (const account of ['toma', 'reyesh', 'anna', 'tr']) assert.ok(!own(account), account);
  assert.equal(other({ path: '/home/sam/plan.txt' }, 'Read the plan of Sam.'), '');
  for (const path of ['/home/me/plan.txt', '/home/runner/work/x.txt', '/srv/sam/x.txt'])
    assert.equal(other({ path }), '', path);
  assert.equal(other({ mailbox: 'sam@north.test' }, '', 'user_17'), '', 'who the user is cannot be told');
});

test('login controls that are taken away', () => {
  const weak = (parts: Partial<AgentEvent>): unknown => fact('weakened_authentication', parts);
  assert.equal(weak({ action: 'iam:mfa:disable' }), 'mfa');
  assert.equal(weak({ action: 'iam:user:disable_mfa' }), 'mfa');
  assert.equal(weak({ action: 'iam:policy:update', parameters: { requireMfa: false } }), 'mfa');
  assert.equal(weak({ action: 'tool:x:call', mcp_context: { tool_name: 'remove_two_factor' } }), 'two_factor');
  assert.equal(weak({ action: 'iam:mfa:enable' }), '');
  assert.equal(weak({ action: 'iam:policy:update', parameters: { require_mfa: true } }), '');
  assert.equal(weak({ action: 'email:rule:disable' }), '');
});

test('placeholders identify nobody; a missing field is not a finding', () => {
  const holder = (parts: Partial<AgentEvent>): unknown => factsOf(parts).get('placeholder_identity');
  assert.equal(holder({ session: { user_id: 'Unknown' } }), 'session.user_id');
  assert.equal(holder({ agent: { agent_id: 'default' } }), 'agent.agent_id');
  assert.equal(holder({ agent: { agent_id: 'default-7' }, session }), '');
  assert.equal(holder({}), '');
});

test('a person as the object of a decision', () => {
  const person = (action: string): unknown => fact('concerns_person', { action });
  for (const action of ['hr:candidate:reject', 'credit:loan:decline', 'health:patient:triage'])
    assert.equal(person(action), true, action);
  for (const action of ['repo:pull_request:approve', 'hr:report:approve', 'zorp:candidate:reject'])
    assert.equal(person(action), false, action);
});

test('the usual domains of a type of agent', () => {
  const fits = (agent_type: string, action: string): unknown =>
    fact('agent_type_fits', { action, agent: { agent_type } });
  assert.equal(fits('code-review', 'bank:money:transfer'), false);
  assert.equal(fits('finance', 'bank:money:transfer'), true);
  assert.equal(fits('assistant', 'bank:money:transfer'), true);
  assert.equal(fits('code-review', 'zorp:blim:transfer'), true);
});
