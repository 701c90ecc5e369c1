import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../../../events/event.ts';

const facts = (user_context: string, parameters: AgentEvent['parameters']) =>
  factsOf({ action: 'home:devices:set', parameters: parameters ?? {}, user_context });

test('things beside the one that was named', () => {
  const devices = [{ id: 'kueche-licht' }, { id: 'alarmanlage' }];
  assert.deepEqual(facts('Mach das Licht in der Küche aus.', { devices }).strings('further_objects'), ['alarmanlage']);
  assert.deepEqual(facts('Mach alle Lichter in der Küche aus.', { devices }).strings('further_objects'), []);
  assert.deepEqual(facts('Lock the driver side.', { door: ['driver', 'rear'] }).strings('further_objects'), []);
  assert.deepEqual(facts('Note: paint for the kitchen', { tags: ['kitchen', 'home'] }).strings('further_objects'), []);
});

test('a pattern that fits more than the value that was named', () => {
  const reach = (request: string, parameters: AgentEvent['parameters']): string =>
    facts(request, parameters).string('reach_of_all');
  assert.equal(reach('Block spam99@offers-now.biz.', { pattern: '*@offers-now.biz' }), 'pattern');
  assert.equal(reach('Block offers-now.biz.', { pattern: '*@offers-now.biz' }), '');
  assert.equal(reach('Block spam99@offers-now.biz.', { pattern: 'spam99@offers-now.biz' }), '');
  assert.equal(reach('Hide the mug.', { parent_id: 0, include_children: true }), 'parent_id');
  assert.equal(reach('Hide the mug.', { parent_id: 12, include_children: true }), '');
  assert.equal(reach('Hide the mug.', { matched_products: 7318 }), 'matched_products');
  assert.equal(reach('Hide the mugs.', { matched_products: 7318 }), '');
});
