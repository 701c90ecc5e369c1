import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { listOf, patternOf, tableOf } from '../../../ontology/words.ts';
import { globalPatternOf } from './word-lists.ts';

test('a list, table or pattern that is missing is an error', () => {
  assert.throws(() => listOf(ontology, 'no_such_list'), /the list `no_such_list` is missing/);
  assert.throws(() => tableOf(ontology, 'no_such_table'), /the table `no_such_table` is missing/);
  assert.throws(() => patternOf(ontology, 'limits', 'no_such'), /the pattern `no_such` of `limits` is missing/);
  assert.deepEqual('3 of 4'.match(globalPatternOf(ontology, 'amounts', 'bare_number')), ['4']);
});

test('tables of verbs name verbs of the ontology', () => {
  const named = [
    ...['acts', 'object_senses', 'guard_words'].flatMap((table) => [...tableOf(ontology, table).keys()]),
    ...[...tableOf(ontology, 'program_verbs').values()].flat(),
    ...listOf(ontology, 'switching_off'),
  ];
  assert.deepEqual(
    named.filter((verb) => !ontology.verbs.has(verb)),
    [],
  );
});

test('lists and tables of verb groups name groups of the ontology', () => {
  const lists = [...ontology.lists].filter(([name]) => name.endsWith('_groups')).flatMap(([, groups]) => groups);
  const tables = ['loose_intent_words', 'program_verbs', 'group_serves'].flatMap((name) => [
    ...tableOf(ontology, name).keys(),
  ]);
  const served = [...tableOf(ontology, 'group_serves').values()].flat();
  const known = new Set([...ontology.group_danger_order, 'unknown']);
  assert.deepEqual(
    [...lists, ...tables, ...served].filter((group) => !known.has(group)),
    [],
  );
});

test('every source of values has its roles, and every class of words is known', () => {
  assert.deepEqual([...tableOf(ontology, 'sources').keys()], [...tableOf(ontology, 'source_roles').keys()]);
  assert.deepEqual(
    [...tableOf(ontology, 'domain_words').keys()].filter((domain) => !ontology.domains.has(domain)),
    [],
  );
  assert.deepEqual(
    [...tableOf(ontology, 'function_words').keys()],
    ['negation', 'before_noun', 'lead', 'you', 'modal', 'object'],
  );
});
