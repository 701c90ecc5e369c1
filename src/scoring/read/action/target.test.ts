import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventOf, NO_CONTENT, ontology } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { readAction } from './action.ts';
import { readTarget, readTime } from './target.ts';

function read(parts: Partial<AgentEvent>) {
  const event = eventOf(parts);
  return readTarget(event, ontology, readAction(event, ontology, NO_CONTENT));
}

test('a declaration may raise the sensitivity of a known resource and never lower it', () => {
  assert.equal(read({ target: { resource_type: 'database', sensitivity_level: 0 } }).sensitivity, 3);
  assert.equal(read({ target: { resource_type: 'database', sensitivity_level: 4 } }).sensitivity, 4);
  assert.equal(read({ target: { resource_type: 'Databases' } }).sensitivity, 3);
});

test('where nothing is known a declaration may raise the middle of the scale and never lower it', () => {
  const declared = (sensitivity_level: number) => read({ action: 'zzz:qqq:read', target: { sensitivity_level } });
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((level) => declared(level).sensitivity),
    [2, 2, 2, 3, 4],
  );
});

test('domain and scope count where the resource type is unknown', () => {
  assert.equal(
    read({ action: 'vault:thing:read', target: { resource_type: 'blob-thing', sensitivity_level: 0 } }).sensitivity,
    4,
  );
  assert.equal(read({ action: 'web:page:read' }).sensitivity, 0);
  assert.equal(read({ action: 'vault:secret:read', target: { resource_type: 'file' } }).sensitivity, 4);
});

test('nothing declared and nothing known is the middle of the scale, not the harmless end', () => {
  const reading = read({ action: 'zzz:qqq:read' });
  assert.equal(reading.sensitivity, 2);
  assert.equal(reading.is_known_resource, false);
});

test('a word in the name of tool or server may raise the sensitivity of an unknown place and never lowers it', () => {
  const served = (server_name: string) => read({ action: 'zzz:qqq:read', mcp_context: { server_name } }).sensitivity;
  assert.equal(served('weather'), 2);
  assert.equal(served('vault'), 4);
});

test('the environment follows from words of names, not from parts of words or from prose', () => {
  assert.equal(read({ target: { resource_id: 'orders-prod' } }).environment, 'production');
  assert.equal(read({ target: { resource_id: 'reproduction' } }).environment, 'unknown');
  assert.equal(read({ action: 'db:prod:drop' }).environment, 'production');
  assert.equal(read({ parameters: { env: 'staging' } }).environment, 'non_production');
  assert.equal(read({ parameters: { branch: 'main' } }).environment, 'production');
  assert.equal(read({ target: { resource_id: '/src/test/main.py' } }).environment, 'unknown');
  assert.equal(read({ target: { resource_id: 'This is only a simulation in a sandbox' } }).environment, 'unknown');
});

test('production wins over every word that says otherwise', () => {
  assert.equal(
    read({ target: { resource_id: 'prod-test' }, parameters: { env: 'sandbox' } }).environment,
    'production',
  );
});

test('a higher declaration never lowers the sensitivity', () => {
  const types = fc.constantFrom(...ontology.resource_types.keys(), 'unheard_of');
  fc.assert(
    fc.property(types, fc.nat(4), fc.nat(4), fc.string(), (resource_type, a, b, resource_id) => {
      const low = read({ target: { resource_type, resource_id, sensitivity_level: Math.min(a, b) } });
      const high = read({ target: { resource_type, resource_id, sensitivity_level: Math.max(a, b) } });
      assert.ok(high.sensitivity >= low.sensitivity);
      assert.ok(low.sensitivity >= (ontology.resource_types.get(resource_type) ?? 0));
    }),
  );
});

test('no id of the resource, the agent or the session lowers the sensitivity', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (resource_id, text) => {
      const bare = read({ target: { resource_type: 'file', resource_id: 'a' } });
      const other = read({
        target: { resource_type: 'file', resource_id },
        agent: { agent_id: text },
        session: { user_id: text },
      });
      assert.equal(other.sensitivity, bare.sensitivity);
    }),
  );
});

test('the hour is that of the timestamp’s own offset', () => {
  assert.deepEqual(readTime(eventOf({ timestamp: '2026-01-15T23:30:00+05:30' })), { hour: 23, day_of_week: 4 });
});

test('an unreadable timestamp is not the harmless one', () => {
  assert.deepEqual(readTime(eventOf({ timestamp: 'soon' })), { hour: 0, day_of_week: 7 });
});
