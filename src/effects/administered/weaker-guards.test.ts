/** Settings by which a guard looks away, read by the words of their names and by their values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { walkOf } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import { interpret } from '../languages.ts';
import { World } from '../world.ts';
import { guardsWeakenedByCall, noteGuardSettings } from './weaker-guards.ts';

const ontology = loadOntology();
const calledWith = (name: string, parameters: { [key: string]: Json }): string[] =>
  guardsWeakenedByCall(name, walkOf(parameters), ontology);

function stored(path: string, text: string, before = ''): string[] {
  const world = new World(ontology, interpret);
  for (const line of before.split('\n')) world.standing.add(line.trim());
  noteGuardSettings(world, path, text, text);
  return world.effects.items.map(({ object }) => object);
}

test('a value by which the guard of a name does nothing is found in a call that sets something', () => {
  for (const parameters of [
    { key: 'a.two_person_rule', value: 'off' },
    { name: 'sample_inspection_rate', value: 0 },
    { required_reviewers: 0 },
    { rule: 'dlp-cards', mode: 'monitor_only' },
    { spoofed_mail: 'accept' },
    { permitted_destinations: ['*'] },
    { login: { lock_after_failures: 0 } },
    { password: { min_length: 2 } },
    { session: { lifetime: '900d' } },
    { skip_signature_check: true },
  ])
    assert.equal(calledWith('mcp:settings:update', parameters).length, 1, JSON.stringify(parameters));
});

test('strict values, other names and calls that set nothing are no weakening', () => {
  for (const parameters of [
    { key: 'a.two_person_rule', value: 'on' },
    { name: 'sample_inspection_rate', value: 0.2 },
    { name: 'refresh_rate', value: 0 },
    { required_reviewers: 2 },
    { rule: 'dlp-cards', mode: 'block' },
    { rule: 'colours', mode: 'monitor' },
    { permitted_destinations: ['api.example'] },
    { session: { lifetime: '8h' } },
    { spell_check: false },
    { fraud: false },
    { screening: 'none' },
  ])
    assert.deepEqual(calledWith('mcp:settings:update', parameters), [], JSON.stringify(parameters));
  assert.deepEqual(calledWith('mcp:settings:read', { key: 'two_person_rule', value: 'off' }), []);
});

test('files of settings are read, apart from tests, code and lines that stood there', () => {
  const text = 'gate:\n  reject_unsigned: false\n';
  assert.equal(stored('deploy/live.yaml', text).length, 1);
  assert.equal(stored('.env.live', 'VERIFY_SIGNATURES=0').length, 1);
  assert.deepEqual(stored('test/gate.yaml', text), []);
  assert.deepEqual(stored('src/gate.py', text), []);
  assert.deepEqual(stored('deploy/live.yaml', text, text), []);
});

test('command lines that set a value are read, those that search or print are not', () => {
  const weakens = (line: string): boolean => effectsOf(line, 'shell').includes('tampers_with_guards one');
  for (const line of [
    "yq -i '.a.reject_unsigned = false' v.yaml",
    'consul kv put mill/dual_control off',
    'kubectl patch cm gate -p \'{"data":{"VERIFY_TENANT":"false"}}\'',
    'echo REJECT_UNSIGNED=false >> live.env',
  ])
    assert.ok(weakens(line), line);
  for (const line of [
    "yq '.a.reject_unsigned' v.yaml",
    'grep -r "reject_unsigned: false" .',
    'echo "set dual_control off"',
    'consul kv put mill/dual_control on',
    'git commit -m "set dual_control off"',
  ])
    assert.ok(!weakens(line), line);
});

test('long texts of settings take linear time', () => {
  for (const text of ['reject: ', 'a_b_c_', 'verify=0 ', 'x: {y: ']) stored('a.yaml', text.repeat(30_000));
});
