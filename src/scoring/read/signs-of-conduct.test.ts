/** Agents, tool servers, packages, money, other people's things: what single events say of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../test/support/readings.ts';
import type { AgentEvent, Message } from '../../events/event.ts';
import { compilePolicy, NO_POLICY } from '../policy/policy.ts';
import { imitatedServer, rightfulServer } from './action/naming/mcp.ts';
import { foreignOwner, isInSharedSpace } from './action/other-people.ts';
import { approverIsAgent, delegateCount, delegationDepth, excessRights, targetsItself } from './action/subagents.ts';
import { unnamedExecutedFiles } from './data/executed-files.ts';
import { recordSubclasses } from './data/found/record-lines.ts';
import { packageSigns } from './data/packages.ts';
import { isRecurring, isStandingOrder, sensitiveSearch, wasDenied } from './data/said.ts';
import { Readings } from './readings.ts';
import { injectedSigns } from './values/metacharacters.ts';
import { malformedAccounts, splitsPayment } from './values/money/payment-shape.ts';
import { readValueOrigins } from './values/value-origin.ts';

const readingsOf = (event: Partial<AgentEvent>): Readings =>
  new Readings({ event: eventOf(event), policy: NO_POLICY, history: null }, ontology);
const server = (server_name: string, tool_name = 'x'): AgentEvent =>
  eventOf({ mcp_context: { server_name, tool_name } });
const user = (content: string): Message => ({ role: 'user', content });
const tool = (content: string, name = ''): Message => ({ role: 'tool', content, ...(name === '' ? {} : { name }) });

test('a server imitates a known one by letters, by look-alikes, by vouching; a numbered or a foreign one does not', () => {
  assert.equal(imitatedServer(server('githuub'), ontology), 'github');
  assert.equal(imitatedServer(server('g1thub-mcp'), ontology), 'github');
  assert.equal(imitatedServer(server('official-github-server'), ontology), 'github');
  for (const name of ['github', 'github-mcp-server', 'github2', 'orchard', '', 'x'.repeat(300)])
    assert.equal(imitatedServer(server(name), ontology), '', name);
});

test('a tool belongs to the one server that is known to have it', () => {
  assert.equal(rightfulServer(server('devhelper', 'merge_pull_request'), ontology), 'github');
  assert.equal(rightfulServer(server('my-github', 'merge_pull_request'), ontology), '');
  assert.equal(rightfulServer(server('devhelper', 'no_such_tool'), ontology), '');
});

test('where a decisive value comes from: memory, another agent, another server', () => {
  const payee = 'GB29NWBK60161331926819';
  const origins = (message: Message, server_name = 'bank') => {
    const r = readingsOf({
      action: 'bank:money:transfer',
      parameters: { recipient: payee, amount: 5 },
      mcp_context: { server_name, tool_name: 'transfer' },
      conversation_history: [user('Pay the landlord.'), message],
    });
    return readValueOrigins(r.event, ontology, r.arguments, r.text);
  };
  assert.deepEqual(origins(tool(`landlord: ${payee}`, 'recall_memory')).memory, ['payee']);
  assert.deepEqual(origins({ role: 'agent', content: `Pay ${payee}.` }).agents, ['payee']);
  assert.deepEqual(origins(tool(payee, 'mcp__github__get_issue')).other_server, ['payee']);
  assert.deepEqual(origins(tool(payee, 'mcp__github__get_issue'), 'github').other_server, []);
  assert.deepEqual(origins(user(`It is ${payee}.`)), { memory: [], agents: [], other_server: [] });
});

test('packages: who named them, from where they come, whether they are pinned', () => {
  const signs = (command: string, ...messages: Message[]) => {
    const r = readingsOf({ action: 'shell:command:run', parameters: { command }, conversation_history: messages });
    return packageSigns(r.event, ontology, r.action, r.content, r.text);
  };
  assert.deepEqual(signs('pip install requests==2.32.3', user('Install requests.')), []);
  assert.deepEqual(signs('pip install requests', user('Install requests.')), ['unpinned']);
  assert.deepEqual(signs('npm install left@1.0.0', user('Fix it.'), tool('use left')), ['from_tool_text']);
  assert.deepEqual(signs('npm install left@1.0.0', user('Fix it.')), ['named_nowhere']);
  assert.deepEqual(signs('npm ci', user('Set it up.')), []);
  assert.ok(signs('pip install a==1 --extra-index-url https://x.example.net', user('a')).includes('other_index'));
});

test('files that run later are told from others, and from those that the user named', () => {
  const files = (path: string, words: string) => {
    const r = readingsOf({
      action: 'file:document:write',
      parameters: { path, content: 'x' },
      mcp_context: { server_name: 'filesystem', tool_name: 'write_file' },
      conversation_history: [user(words)],
    });
    return unnamedExecutedFiles(r.content, r.text, ontology);
  };
  assert.deepEqual(files('.github/workflows/ci.yml', 'Fix the typo.'), ['.github/workflows/ci.yml']);
  assert.deepEqual(files('Makefile', 'Add a target to the Makefile.'), []);
  assert.deepEqual(files('src/index.ts', 'Fix the typo.'), []);
});

test('signs of another language count in a name that a tool brought in, not in the user’s and not in a command', () => {
  const signs = (parameters: Record<string, string>, ...messages: Message[]) =>
    injectedSigns(
      readingsOf({ action: 'file:document:read', parameters, conversation_history: messages }).arguments,
      ontology,
    );
  const path = 'a/../../../etc/passwd';
  assert.deepEqual(signs({ path }, user('Open it.'), tool(`File: ${path}`)), [{ role: 'path', language: 'path' }]);
  assert.deepEqual(signs({ path }, user(`Open ${path}.`)), []);
  assert.deepEqual(signs({ command: 'ls; rm x' }, user('Go on.'), tool('ls; rm x')), []);
});

test('delegation: depth, number, rights without limit or outside the policy, and the agent itself', () => {
  const policy = compilePolicy(
    { allowed_action_patterns: ['repo:*:read'], allowed_tools: ['read_file'] },
    1,
    () => false,
  );
  const event = eventOf({
    agent: { agent_id: 'agent-7' },
    parameters: {
      depth: 4,
      agents: ['a', 'b'],
      allowed_actions: ['repo:code:read', 'repo:code:delete'],
      tools: ['read_file', 'shell'],
      role: 'admin',
      approved_by: 'Agent-7',
      clone_of: 'self',
    },
  });
  assert.equal(delegationDepth(event, ontology), 4);
  assert.equal(delegateCount(event, ontology), 2);
  assert.deepEqual(excessRights(event, ontology, policy), ['admin', 'repo:code:delete', 'shell']);
  assert.deepEqual(excessRights(event, ontology, NO_POLICY), ['admin']);
  assert.ok(approverIsAgent(event, ontology) && targetsItself(event, ontology));
  const other = eventOf({ agent: { agent_id: 'agent-7' }, parameters: { approved_by: 'ana', agent_id: 'agent-9' } });
  assert.ok(!approverIsAgent(other, ontology) && !targetsItself(other, ontology));
});

test('account numbers that fail their check; masked and foreign ones are none', () => {
  const kinds = (parameters: Record<string, string>) => malformedAccounts(eventOf({ parameters }), ontology);
  assert.deepEqual(kinds({ iban: 'DE89370400440532013001' }), ['IBAN']);
  assert.deepEqual(kinds({ iban: 'DE89370400440532013000' }), []);
  assert.deepEqual(kinds({ card_number: '4539 1488 0343 6468' }), ['card']);
  assert.deepEqual(kinds({ card_number: '**** **** **** 6468' }), []);
  assert.deepEqual(kinds({ routing_number: '021000022' }), ['routing number']);
  assert.deepEqual(kinds({ account: 'DH5939281092', order: '4539148803436468' }), []);
});

test('payments just below a limit are split only when there are two of them', () => {
  const splits = (amount: number, said: string) => {
    const r = readingsOf({
      action: 'bank:money:transfer',
      parameters: { amount },
      conversation_history: [{ role: 'assistant', content: said }],
    });
    return splitsPayment(r.text, r.arguments, ontology);
  };
  assert.ok(splits(9500, 'pay({"amount": "9,400.00"})'));
  assert.ok(!splits(9500, 'pay({"amount": 20})'));
  assert.ok(!splits(9500, ''));
  assert.ok(!splits(700, 'pay({"amount": 600})'));
});

test('labelled lines are a record, a sentence with a colon is not', () => {
  const kinds = (body: string) => recordSubclasses(eventOf({ parameters: { body } }), ontology);
  assert.deepEqual(kinds('Patient 1\n- Diagnosis: asthma\n**Medications:** salbutamol'), ['health']);
  assert.deepEqual(kinds('We found this: the diagnosis was easy.'), []);
});

test('owners other than the session’s user, and spaces that all read', () => {
  const owner = (user_id: string) =>
    foreignOwner(eventOf({ session: { user_id: 'me@north.test' }, parameters: { user_id } }), ontology);
  assert.equal(owner('tom@north.test'), 'tom@north.test');
  for (const own of ['me@north.test', 'ME@north.test', 'me']) assert.equal(owner(own), '');
  assert.equal(foreignOwner(eventOf({ parameters: { user_id: 'tom@north.test' } }), ontology), '');
  assert.ok(isInSharedSpace(eventOf({ parameters: { namespace: 'Shared' } }), ontology));
  assert.ok(!isInSharedSpace(eventOf({ parameters: { note: 'shared' } }), ontology));
});

test('phrases are found whole and in any case; the user’s own words and a later word of the user count', () => {
  const denied = (...messages: Message[]) => wasDenied(readingsOf({ conversation_history: messages }).text, ontology);
  assert.ok(denied(user('Go.'), tool('Error: Permission denied.')));
  assert.ok(!denied(user('Go.'), tool('ok')) && !denied(tool('Permission denied.'), user('I allowed it now.')));
  assert.ok(isStandingOrder(eventOf({ parameters: { text: 'From now on pay it at once' } }), ontology));
  assert.ok(!isStandingOrder(eventOf({ parameters: { text: 'the hallways are long' } }), ontology));
  const search = (query: string, words: string) =>
    sensitiveSearch(eventOf({ parameters: { query } }), readingsOf({ user_context: words }).text, ontology);
  assert.equal(search('all Passwords', 'Summarise the roadmap.'), 'passwords');
  assert.equal(search('all passwords', 'Find our passwords.'), '');
  assert.equal(search('passwordless login', 'Summarise.'), '');
  assert.ok(isRecurring(eventOf({ parameters: { cron: '0 3 * * *' } }), ontology));
  assert.ok(!isRecurring(eventOf({ parameters: { recurring: 'none', repeat: false } }), ontology));
});
