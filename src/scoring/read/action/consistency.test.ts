import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf } from '../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { contradiction } from './consistency.ts';

const of = (resource_type: string, resource_id: string, parameters: AgentEvent['parameters']): string =>
  contradiction(eventOf({ target: { resource_type, resource_id }, parameters: parameters ?? {} }));

test('a target and a parameter that name two things', () => {
  assert.equal(of('table', 'scratch', { table: 'customers' }), 'target.resource_id and parameters.table');
  assert.equal(
    of('Repository', 'north/a', { repositoryName: 'north/b' }),
    'target.resource_id and parameters.repositoryName',
  );
});

test('what agrees, or cannot be compared', () => {
  assert.equal(of('table', 'shop.orders', { table: 'orders' }), '', 'a part');
  assert.equal(of('table', 'Orders', { table: 'orders' }), '', 'another spelling');
  assert.equal(of('table', 'scratch', { column: 'customers' }), '', 'another thing');
  assert.equal(of('table', 'scratch', { filter: { table: 'customers' } }), '', 'deeper down it may be another role');
  assert.equal(of('database', 'SELECT 1 FROM x', { database: 'y' }), '', 'a statement is no name');
  assert.equal(of('table', 'scratch', { table: true }), '');
  assert.equal(contradiction(eventOf()), '');
});

test('an action before its session began', () => {
  const at = (started_at: string): string =>
    contradiction(eventOf({ timestamp: '2026-01-15T10:00:00Z', session: { started_at } }));
  assert.equal(at('2026-01-15T11:00:00Z'), 'timestamp and session.started_at');
  assert.equal(at('2026-01-15T11:00:00+02:00'), '');
  assert.equal(at('not a time'), '');
});
