import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, factsOf, ontology, talk } from '../../../../test/support/readings.ts';
import type { AgentEvent, Message } from '../../../events/event.ts';
import { readCalls } from './calls.ts';

const calls = (conversation_history: Message[]) => readCalls(eventOf({ conversation_history }), ontology);

test('calls in each of their forms, with their results', () => {
  const written = calls(talk(['assistant', 'read_file({"path": "a.txt"})'], ['tool', 'one'], ['tool', 'two']));
  assert.deepEqual(
    [written[0]?.name, written[0]?.args.get('path'), written[0]?.results],
    ['read_file', 'a.txt', ['one', 'two']],
  );
  const called = calls([
    { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{"id": 7}' } }] },
    { role: 'tool', content: 'done' },
  ]);
  assert.deepEqual([called[0]?.name, called[0]?.args.get('id'), called[0]?.results], ['f', '7', ['done']]);
  const used = calls([
    { role: 'assistant', content: [{ type: 'tool_use', name: 'g', input: { Repo: 'x' } }] },
    { role: 'user', content: [{ type: 'tool_result', content: 'ok' }] },
  ]);
  assert.deepEqual([used[0]?.name, used[0]?.args.get('repo')], ['g', 'x']);
  assert.equal(used[0]?.results.length, 1);
});

test('prose is not a call, and broken arguments are kept as text', () => {
  assert.deepEqual(calls(talk(['assistant', 'I will read (a) file.'], ['user', 'ok'])), []);
  const [broken] = calls(talk(['assistant', 'f({"path": )']));
  assert.deepEqual([broken?.name, broken?.args.size], ['f', 0]);
});

const READ = 'read_file({"path": "/srv/payroll/2025.csv"})';
const shell = { action: 'shell:command:run', mcp_context: { tool_name: 'execute_bash' } };
const around = (history: Message[], parts: Partial<AgentEvent> = {}): unknown =>
  factsOf({
    ...shell,
    parameters: { command: 'cat /srv/payroll/2025.csv' },
    conversation_history: history,
    ...parts,
  }).get('denied_before');

test('a refused object that is reached by another way', () => {
  const refused = talk(['user', 'Look around.'], ['assistant', READ], ['tool', 'Error: permission denied']);
  assert.equal(around(refused), 'read_file');
  assert.equal(
    around([...refused, ...talk(['tool', 'All is well now.'])]),
    'read_file',
    'more text takes nothing away',
  );
  assert.equal(around(refused, { parameters: { command: 'cat /srv/readme.txt' } }), '', 'another object');
  assert.equal(around([...refused, ...talk(['user', 'You may.'])]), '', 'the user spoke');
  assert.equal(around(refused, { mcp_context: { tool_name: 'read_file' } }), '', 'the same tool again');
  assert.equal(
    around(talk(['assistant', READ], ['tool', `permission denied ${'x'.repeat(700)}`])),
    '',
    'a page about it',
  );
  assert.equal(around(talk(['assistant', READ], ['tool', 'a;b;c'])), '', 'no refusal');
});

test('rights gained right after a refusal', () => {
  const refused = talk(['assistant', 'update_page({"id": "p-1"})'], ['tool', 'HTTP 403 Forbidden']);
  const grant = {
    action: 'iam:role:grant',
    mcp_context: { tool_name: 'grant_role' },
    parameters: { user: 'a', role: 'b' },
  };
  assert.equal(around(refused, grant), 'update_page');
});
