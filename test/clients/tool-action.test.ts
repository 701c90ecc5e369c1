/** The client's table of tools and its hashes against the engine's own reading, and the cases that clients of every language share. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actionHash, conversationOf, type ToolCall, toolAction } from '../../clients/typescript/src/index.ts';
import { type HashedAction, actionHash as hashOfService } from '../../src/holds/action-hash.ts';
import { findTool } from '../../src/scoring/read/action/naming/tools.ts';
import type { ToolTable } from '../../tools/pages/client-tools.ts';
import { ROOT } from '../cli/support.ts';
import { knowledge } from '../support/knowledge.ts';

const { ontology } = knowledge;
const table = JSON.parse(readFileSync(join(ROOT, 'clients/tools.json'), 'utf8')) as ToolTable;

test('every tool means the same to the client and to the engine, with and without its server', () => {
  let checked = 0;
  for (const [tool, entries] of Object.entries(table)) {
    for (const server of ['', ...entries.map(([server]) => server)]) {
      const { event, is_recognised } = toolAction({ tool, ...(server !== '' && { server }) });
      assert.equal(event.action, findTool(tool, server, ontology)?.action, `${tool} of ${server || 'no server'}`);
      assert.ok(is_recognised);
      checked += 1;
    }
  }
  assert.ok(checked > 1_200, `${checked} checked`);
  assert.equal(Object.keys(table).length, ontology.tools.size);
});

test('an MCP tool in the spelling of a host is that tool of that server', () => {
  const { event, is_recognised } = toolAction({ tool: 'mcp__github__create_gist', args: { description: 'x' } });
  assert.deepEqual(event, {
    action: findTool('create_gist', 'github', ontology)!.action,
    parameters: { description: 'x' },
    mcp_context: { server_name: 'github', tool_name: 'create_gist' },
  });
  assert.ok(is_recognised);
});

test('a tool that the table does not list is reported, and keeps its name in a valid action', () => {
  const { event, is_recognised } = toolAction({ tool: 'Frob the *', server: 'acme inc.', args: { path: '/a' } });
  assert.deepEqual([event.action, is_recognised], ['acme_inc.:tool:frob_the__', false]);
  assert.deepEqual(event.target, { resource_type: 'file', resource_id: '/a' });
  assert.equal(toolAction({ tool: 'constructor' }).is_recognised, false);
});

const shared = <Case>(name: string): (Case & { name: string })[] => {
  const cases = JSON.parse(readFileSync(join(ROOT, 'corpus/clients', name), 'utf8')) as (Case & { name: string })[];
  assert.ok(cases.length > 5);
  return cases;
};

test('shared cases: the hash of an action, by the client and by the service', async () => {
  for (const { name, event, action_hash } of shared<{ event: HashedAction; action_hash: string | null }>(
    'action-hashes.json',
  )) {
    assert.equal(hashOfService(event), action_hash, name);
    assert.equal(await actionHash(event).catch(() => null), action_hash, name);
  }
});

test('shared cases: what a tool call does', () => {
  for (const { name, call, ...expected } of shared<{ call: ToolCall }>('tool-actions.json'))
    assert.deepEqual(toolAction(call), expected, name);
});

test('shared cases: messages of the frameworks, the user’s words, and results of tools as such', () => {
  for (const { name, messages, conversation } of shared<{ messages: unknown[]; conversation: object }>(
    'conversations.json',
  ))
    assert.deepEqual(conversationOf(messages), conversation, name);
});
