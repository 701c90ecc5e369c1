import assert from 'node:assert/strict';
import { test } from 'node:test';
import { injectionVectors } from '../../../../test/support/injection.ts';
import { NO_CONTENT, ontology, textOf } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { readAction } from '../action/action.ts';
import { readTarget } from '../action/target.ts';
import { readVolume } from '../action/volume.ts';
import { readData } from '../data/data.ts';
import { readSequence } from '../past/sequence.ts';

/** The text in every place that the judged party names itself or its objects in. */
const PLACES: Record<string, (event: AgentEvent, text: string) => AgentEvent> = {
  resource_id: (event, text) => ({ ...event, target: { ...event.target, resource_id: text } }),
  agent: (event, text) => ({ ...event, agent: { agent_id: text, agent_type: text, framework: text, model: text } }),
  user_id: (event, text) => ({ ...event, session: { ...event.session, user_id: text } }),
  server_name: (event, text) => ({ ...event, mcp_context: { ...event.mcp_context, server_name: text } }),
  tool_name: (event, text) => ({ ...event, mcp_context: { ...event.mcp_context, tool_name: text } }),
  parameter: (event, text) => ({ ...event, parameters: { ...event.parameters, note: text } }),
  parameter_key: (event, text) => ({ ...event, parameters: { ...event.parameters, [text]: 1 } }),
  preceding_action: (event, text) => ({ ...event, preceding_actions: [text] }),
  metadata: (event, text) => ({ ...event, metadata: { note: text } }),
  field: (event, text) => ({
    ...event,
    data_fields_accessed: (event.data_fields_accessed ?? []).map((field) =>
      typeof field === 'string' ? text : { ...field, field: text },
    ),
  }),
  classification: (event, text) => ({
    ...event,
    data_fields_accessed: (event.data_fields_accessed ?? []).map((field) =>
      typeof field === 'string' ? field : { ...field, classification: text },
    ),
  }),
};

function measure(event: AgentEvent) {
  const action = readAction(event, ontology, NO_CONTENT);
  const data = readData(event, ontology, action, textOf());
  return {
    numbers: {
      base_risk: action.base_risk,
      reversibility: action.reversibility,
      blast_radius: action.blast_radius,
      sensitivity: readTarget(event, ontology, action).sensitivity,
      severity: data.severity,
      batch_size: readVolume(event, ontology, NO_CONTENT, { effective_group: 'update', name_words: [] }).batch_size,
      repeats: readSequence(event, ontology, action).repeats,
    },
    rank: [...ontology.group_danger_order, 'unknown'].indexOf(action.effective_group),
    classes: new Set(data.touched.map(({ data_class }) => data_class)),
  };
}

test('no text in a field for a name makes an action look less dangerous', () => {
  const { bases, ...vectors } = injectionVectors();
  // A single word may be a name, and says less than the one that it replaces.
  const tests = vectors.tests.filter(({ text }) => text.trim().split(/\s+/).length > 3);
  assert.ok(bases.length > 0 && tests.length > 0);
  for (const { name, event } of bases) {
    const before = measure(event);
    for (const [place, put] of Object.entries(PLACES)) {
      for (const { id, text } of tests) {
        const after = measure(put(event, text));
        const where = `${name}, ${place}, ${id}`;
        for (const [key, value] of Object.entries(before.numbers)) {
          // The label itself is gone with its text: what it said beyond «restricted» cannot stay.
          const least = place === 'classification' && key === 'severity' ? Math.min(value, 3) : value;
          assert.ok(after.numbers[key as keyof typeof after.numbers] >= least, `${where}: ${key}`);
        }
        assert.ok(after.rank <= before.rank, `${where}: group`);
        if (place === 'classification') continue;
        for (const data_class of before.classes) assert.ok(after.classes.has(data_class), `${where}: ${data_class}`);
      }
    }
  }
});
