/** Which parameters of which tools are read as data that may hold code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';
import type { JsonObject } from '../../../lang/json.ts';

const ATTACK = "x' UNION SELECT name, secret FROM members --";
const found = (action: string, tool_name: string, parameters: JsonObject, server_name = 's'): unknown =>
  factsOf({ action, mcp_context: { server_name, tool_name }, parameters }).get('injected_languages');

test('a value for a tool that takes data', () => {
  assert.deepEqual(found('crm:record:search', 'search_records', { query: ATTACK }), ['sql']);
  assert.deepEqual(found('support:form:submit', 'submit_form', { fields: [{ name: 'city', value: ATTACK }] }), ['sql']);
  assert.deepEqual(found('ecommerce:order:get', 'get_order', { order_id: '7 OR 1=1' }), ['sql']);
});

test('the name of a server makes no query of a piece of one', () => {
  for (const server of ['database', 'postgres', 'files', 'github'])
    assert.deepEqual(found('tool:records:search', 'search_records', { query: ATTACK }, server), ['sql'], server);
  const statement = 'BEGIN; UPDATE parts SET stock = 4 WHERE id = 9; COMMIT';
  assert.deepEqual(found('tool:records:search', 'search_records', { query: statement }, 'postgres'), []);
});

test('where code is the work of the tool', () => {
  assert.deepEqual(found('db:table:query', 'run_sql', { sql: ATTACK }), []);
  assert.deepEqual(found('file:document:write', 'write_file', { path: 'a.test.ts', content: ATTACK }), []);
  assert.deepEqual(found('shell:command:run', 'bash', { command: `grep -rn "${ATTACK}" src` }), []);
  assert.deepEqual(found('repo:code:search', 'search_code', { query: ATTACK }), []);
  assert.deepEqual(found('crm:record:search', 'search_records', { filter: "status = 'open' OR total > 100" }), []);
});
