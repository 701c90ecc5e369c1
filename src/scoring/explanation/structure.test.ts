import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../test/support/knowledge.ts';
import { tableOf } from '../../ontology/words.ts';
import { NODE_KINDS } from '../graph/event-graph.ts';

test('there is a phrase for the findings and for every other part of a graph that may carry a result', () => {
  const parts = ['findings', ...NODE_KINDS.filter((kind) => kind !== 'finding')];
  assert.deepEqual([...tableOf(knowledge.ontology, 'parts_of_structure').keys()].sort(), parts.sort());
});
