import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf, eventOf, NO_CONTENT, ontology } from '../../../../test/support/readings.ts';
import { wordsOf } from '../../../lang/names.ts';
import { readAction } from './action.ts';
import type { EffectKind } from './content/content.ts';

const verbs = fc.constantFrom(...ontology.verbs.keys());
const groups = [...ontology.group_danger_order, 'unknown'];
const segment = fc.stringMatching(/^[a-z0-9_.-]{1,20}$/);
const tools = fc.oneof(fc.constantFrom(...ontology.tools.keys()), fc.string({ maxLength: 60 }), segment);

test('no tool name makes the effect less dangerous than the claimed verb', () => {
  fc.assert(
    fc.property(verbs, segment, tools, fc.string({ maxLength: 20 }), (verb, scope, tool_name, server_name) => {
      const bare = readAction(eventOf({ action: `x:${scope}:${verb}` }), ontology, NO_CONTENT);
      const event = eventOf({ action: `x:${scope}:${verb}`, mcp_context: { tool_name, server_name } });
      const named = readAction(event, ontology, NO_CONTENT);
      // An empty `call` is the one verb whose meaning the tool gives.
      if (verb === 'call') return;
      // A noun of the tool's own name is no claim: `read_file` told as `x:y:file` (decision 87).
      const words = wordsOf(tool_name);
      if (words.length > 1 && words.includes(verb)) return;
      // Where machines handle things, `drop` is a movement.
      if (named.verbs.includes('handle_object')) return;
      assert.ok(named.base_risk >= bare.base_risk);
      assert.ok(named.reversibility >= bare.reversibility && named.blast_radius >= bare.blast_radius);
      assert.ok(groups.indexOf(named.effective_group) <= groups.indexOf(bare.effective_group));
    }),
  );
});

test('arbitrary text instead of a tool name never lowers the risk of an empty call below that of a function call', () => {
  const call = ontology.verbs.get('call_function')!;
  fc.assert(
    fc.property(fc.constantFrom('qqq', 'zzz_thing'), (scope) => {
      const reading = readAction(eventOf({ action: `x:${scope}:call` }), ontology, NO_CONTENT);
      assert.ok(reading.base_risk >= call.base_risk);
      assert.equal(reading.effective_group, call.group);
    }),
  );
});

const kinds: EffectKind[] = [
  'deletes',
  'sends_out',
  'escalates',
  'runs_as_another',
  'feeds_unknown_program',
  'destroys_data',
  'discards_work',
  'opens_channel',
  'tampers_with_guards',
  'reads_credentials',
];
test('an effect of the content never lowers what claim and tool say, unless they only carry the code', () => {
  fc.assert(
    fc.property(verbs, fc.constantFrom(...kinds), fc.constantFrom('one', 'many', 'everything'), (verb, kind, scope) => {
      const event = eventOf({ action: `files:thing:${verb}` });
      const before = readAction(event, ontology, NO_CONTENT);
      const after = readAction(event, ontology, contentOf({ kind, scope: scope as 'one' }));
      assert.ok(after.base_risk >= before.base_risk);
      assert.ok(groups.indexOf(after.effective_group) <= groups.indexOf(before.effective_group));
    }),
  );
});

test('any action and tool give numbers in range', () => {
  fc.assert(
    fc.property(segment, segment, segment, tools, (domain, scope, verb, tool_name) => {
      const reading = readAction(
        eventOf({ action: `${domain}:${scope}:${verb}`, mcp_context: { tool_name } }),
        ontology,
        NO_CONTENT,
      );
      assert.ok(reading.base_risk >= 0 && reading.base_risk <= 100);
      assert.ok(groups.includes(reading.effective_group));
    }),
  );
});
