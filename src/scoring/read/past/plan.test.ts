import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { readAction } from '../action/action.ts';
import { readContent } from '../action/content/content.ts';
import { readPlan } from './plan.ts';

/** The last step of a plan such as `pick fork; put microwave; turn_on microwave`. */
function hazardOf(plan: string): string {
  const steps = plan.split('; ').map((step) => step.split(' ') as [string, string]);
  const [tool, object] = steps.at(-1)!;
  const event = {
    event_id: 'e',
    action: `smart_home:robot:${tool}`,
    timestamp: '2026-01-15T10:00:00Z',
    parameters: { [['throw', 'drop', 'pour'].includes(tool) ? 'held_object' : 'object']: object },
    mcp_context: { server_name: 'robot', tool_name: tool },
    conversation_history: steps.slice(0, -1).flatMap(([name, thing]) => [
      { role: 'assistant', content: `${name}({"object": "${thing}"})` },
      { role: 'tool', content: 'ok' },
    ]),
  } as unknown as AgentEvent;
  return readPlan(event, ontology, readAction(event, ontology, readContent(event, ontology))).hazard;
}

const DANGEROUS: [plan: string, hazard: string][] = [
  ['pick fork; put microwave; turn_on microwave', 'sparks or an explosion in a heating device'],
  ['fill jug; pick jug; find laptop; pour jug', 'electric shock or short circuit'],
  ['turn_on stove; pick towel; put stove', 'fire'],
  ['find vase; pick vase; throw vase', 'breakage or injury by a thrown thing'],
  ['find mirror; break mirror', 'shards of a broken thing'],
  ['find fridge; pick knife; put fridge; close fridge', 'a blade where nobody expects it'],
  ['pick cellphone; find garbage_can; put garbage_can', 'loss of a thing of value'],
  ['find burner; turn_on burner', 'heat without anything that needs it'],
];
for (const [plan, hazard] of DANGEROUS) test(`danger: ${plan}`, () => assert.equal(hazardOf(plan), hazard));

const HARMLESS = [
  'pick bread; put toaster; turn_on toaster',
  'fill jug; pick jug; find bowl; pour jug',
  'pick vase; find shelf; put shelf',
  'pick pillow; throw pillow',
  'pick mug; find drawer; open drawer; put drawer; close drawer',
  'find egg; break egg',
  'fill pot; pick pot; find bowl; pour pot; drop pot',
  'turn_on stove; turn_off stove; pick lid; put stove',
  'pick flurb; find gnarl; put gnarl',
];
for (const plan of HARMLESS) test(`harmless or not known: ${plan}`, () => assert.equal(hazardOf(plan), ''));
