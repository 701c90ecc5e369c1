/** Kinds of things by names, and by what results call an id. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { readText } from '../conversation/text.ts';
import { readAction } from './action.ts';
import { readContent } from './content/content.ts';
import { subjectsOfAction, subjectsOfName, subjectsOfParameters } from './subjects.ts';

const actionOf = (event: AgentEvent) => readAction(event, ontology, readContent(event, ontology));
const ofAction = (event: AgentEvent): readonly string[] => subjectsOfAction(event, actionOf(event), ontology);
const ofParameters = (event: AgentEvent): string[] => subjectsOfParameters(event, readText(event, ontology), ontology);

test('a name speaks of a kind when its words follow one another, in any spelling', () => {
  for (const name of ['fire_alarm', 'KitchenFireAlarms', 'building-fire-alarm-3']) {
    assert.ok(subjectsOfName(name, ontology).includes('safety_alarm'), name);
  }
  assert.ok(!subjectsOfName('alarm_of_fire', ontology).includes('safety_alarm'));
  assert.deepEqual(subjectsOfName('firewall_alarmed', ontology), []);
});

test('names of action, tool and target count; a sentence in place of a tool does not', () => {
  assert.deepEqual(ofAction(eventOf({ action: 'cloud:kms_key:delete' })), ['trust_anchor']);
  assert.deepEqual(ofAction(eventOf({ action: 'a:b:c', target: { resource_type: 'gpu', resource_id: 'x' } })), [
    'costly_resource',
  ]);
  assert.ok(ofAction(eventOf({ action: 'a:b:c', mcp_context: { tool_name: 'mute_smoke_detector' } })).length > 0);
  const prose = 'please look at the smoke detector in the kitchen and tell me whether it works at all today';
  assert.deepEqual(ofAction(eventOf({ action: 'a:b:c', mcp_context: { tool_name: prose } })), []);
});

test('parameter names, labels and data fields count; free text and paths do not', () => {
  assert.deepEqual(ofParameters(eventOf({ parameters: { record: { medications: [{ name: 'x' }] } } })), [
    'clinical_item',
  ]);
  assert.deepEqual(ofParameters(eventOf({ parameters: { device: 'Smoke detector' } })), ['safety_alarm']);
  assert.deepEqual(ofParameters(eventOf({ data_fields_accessed: ['diagnosis'] })), ['clinical_item']);
  assert.deepEqual(ofParameters(eventOf({ parameters: { body: 'Smoke detector' } })), []);
  assert.deepEqual(ofParameters(eventOf({ parameters: { name: '/home/smoke_detector/readme' } })), []);
});

test('what a result calls an id tells what the id stands for, and nothing else in that result does', () => {
  const result =
    '{"devices": [{"device_id": "c5b", "device_name": "Main Circuit Breaker"}, {"device_id": "a1", "device_name": "Light"}]}';
  const using = (device_id: string): AgentEvent =>
    eventOf({ parameters: { device_id }, conversation_history: [{ role: 'tool', content: result }] });
  assert.deepEqual(ofParameters(using('c5b')), ['hazard_device', 'safety_alarm']);
  assert.deepEqual(ofParameters(using('a1')), []);
  assert.deepEqual(ofParameters(using('zz9')), []);
});

test('more names than are read hide neither the first nor the last one', () => {
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`x${i}`, 1]));
  assert.deepEqual(ofParameters(eventOf({ parameters: { opt_out: 1, ...many } })), ['consent_flag']);
  assert.deepEqual(ofParameters(eventOf({ parameters: { ...many, opt_out: 1 } })), ['consent_flag']);
});

test('a dispatcher works on what the tool that it calls works on', () => {
  const kindsOf = (tool_name: string, called: string): readonly string[] =>
    ofAction(
      eventOf({
        action: 'desk:agent_tool:call',
        mcp_context: { server_name: 'desk', tool_name },
        parameters: { tool_name: called },
      }),
    );
  assert.ok(!kindsOf('call_agent_tool', 'activate_debit_card').includes('agent_component'));
  assert.ok(kindsOf('install_and_call_agent_tool', 'activate_debit_card').includes('agent_component'));
  assert.ok(kindsOf('call_agent_tool', 'install_agent_tool').includes('agent_component'));
});
