import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology } from '../../../../test/support/readings.ts';
import type { JsonObject } from '../../../lang/json.ts';
import { verbOfArguments } from './argument-shape.ts';

const verbOf = (parameters: JsonObject): string => verbOfArguments(eventOf({ parameters }), ontology)?.verb ?? '';

test('the kinds of parameters tell what a call does', () => {
  assert.equal(verbOf({ amount: 20, payee_id: 'P-1' }), 'transfer');
  assert.equal(verbOf({ to_phone_numbers: ['+1'], message: 'Hi' }), 'send');
  assert.equal(verbOf({ file_path: 'a.txt', content: 'x' }), 'write');
  assert.equal(verbOf({ path: 'a.txt', old_str: 'x', new_str: 'y' }), 'edit');
  assert.equal(verbOf({ task_id: '1', field: 'list', new_value: 'done' }), 'update');
});

test('a call with words that only choose what is shown looks, and one of nothing tells nothing', () => {
  assert.equal(verbOf({}), '');
  assert.equal(verbOf({ query: 'ALV', limit: 5 }), 'search');
});

test('an id alone tells nothing, and one parameter more makes no call a look', () => {
  assert.equal(verbOf({ event_id: '7' }), '');
  assert.equal(verbOf({ event_id: '7', query: 'x' }), '');
  assert.equal(verbOf({ query: 'x', amount: 20, iban: 'X' }), 'transfer');
});
