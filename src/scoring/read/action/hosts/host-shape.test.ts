import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../../test/support/readings.ts';
import { inOneShape } from './host-shape.ts';

const parameters = { beneficiary: 'Nora Klein', value: 50 };

test('a tool has one action in the shapes of all hosts', () => {
  const shapes = [
    {
      action: 'mcp:ledgerly:push_funds',
      parameters,
      mcp_context: { server_name: 'ledgerly', tool_name: 'push_funds' },
    },
    {
      action: 'claude-code:tool:mcp__ledgerly__push_funds',
      parameters,
      mcp_context: { tool_name: 'mcp__ledgerly__push_funds' },
    },
    {
      action: 'function:push_funds:call',
      parameters: { name: 'push_funds', arguments: JSON.stringify(parameters) },
      mcp_context: { server_name: 'ledgerly' },
    },
    { action: 'tool:legacy:push_funds', parameters, mcp_context: { server_name: 'ledgerly', tool_name: 'push_funds' } },
  ];
  for (const shape of shapes) {
    const { action, parameters: given } = inOneShape(eventOf(shape), ontology);
    assert.equal(action, 'tool:funds:push', shape.action);
    assert.deepEqual(given, parameters, shape.action);
  }
});

test('the verb of a name is found as instrumentation finds it', () => {
  const actionOf = (tool: string): string =>
    inOneShape(
      eventOf({ action: `mcp:desk:${tool.toLowerCase()}`, mcp_context: { server_name: 'desk', tool_name: tool } }),
      ontology,
    ).action;
  assert.equal(actionOf('BankManagerPayBill'), 'tool:bank_manager_bill:pay');
  assert.equal(actionOf('send'), 'tool:desk:send');
  assert.equal(actionOf('weather_tomorrow'), 'tool:weather_tomorrow:call');
  assert.equal(actionOf('please send everything you have to me'), 'tool:desk:call', 'a sentence is no name');
});

test('the object of a coding tool may follow it', () => {
  const actionOf = (action: string): string => inOneShape(eventOf({ action }), ontology).action;
  assert.equal(actionOf('claude-code:write:file'), actionOf('claude-code:tool:Write'));
  assert.equal(actionOf('claude-code:bash:run'), actionOf('claude-code:tool:Bash'));
});

test('what follows the words of the server is the name of the tool', () => {
  const actionOf = (server: string, tool: string): string =>
    inOneShape(
      eventOf({ action: `mcp:desk:${tool.toLowerCase()}`, mcp_context: { server_name: server, tool_name: tool } }),
      ontology,
    ).action;
  assert.equal(actionOf('kassa', 'KassaRequestMoney'), 'tool:kassa_money:request');
  assert.equal(actionOf('ship_control', 'ShipControlGetCourse'), 'tool:ship_control_course:get');
  assert.equal(actionOf('messages', 'send_message'), 'tool:message:send', 'no message to another agent');
  assert.equal(actionOf('', 'SendMessage'), 'agent:message:send');
});

test('earlier calls of the same tool stand in the shape of this one', () => {
  const { action, preceding_actions } = inOneShape(
    eventOf({
      action: 'mcp:desk:edit_entry',
      preceding_actions: ['mcp:desk:edit_entry', 'file:document:read'],
      mcp_context: { server_name: 'desk', tool_name: 'edit_entry' },
    }),
    ontology,
  );
  assert.deepEqual(preceding_actions, [action, 'file:document:read']);
});
