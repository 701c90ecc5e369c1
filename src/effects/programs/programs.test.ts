/** Entries of programs that do not fit their readers, and the programs as shipped. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, build, smallest } from '../../../test/support/smallest-ontology.ts';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { programsOf } from './index.ts';

const FILE = 'programs/files.yaml';

function withEntry(entry: Record<string, unknown>) {
  const documents = smallest();
  at(documents, FILE)['programs'] = [entry];
  return build(documents);
}

for (const [what, entry, problem] of [
  [
    'unknown reader',
    { reader: 'fly', names: ['plane'] },
    /programs\/files\.yaml: `fly` \(plane\): the reader `fly` does not exist/,
  ],
  ['missing list', { reader: 'move', names: ['mv'], with_value: ['t'] }, /`move` \(mv\): the list `folder` is missing/],
  ['missing pattern', { reader: 'switch_guard', names: ['setenforce'] }, /the pattern `when` is missing/],
  [
    'list that its reader does not use',
    { reader: 'link', names: ['ln'], foldr: ['t'] },
    /the reader `link` does not use `foldr`/,
  ],
] as const) {
  test(`refused: program with ${what}`, () => assert.throws(() => programsOf(withEntry(entry)), problem));
}

test('programs that only print are told from those that act', () => {
  const programs = programsOf(loadOntology());
  assert.ok(programs.size > 850);
  assert.deepEqual(
    ['cat', 'echo', 'rm', 'curl', 'zorp'].map((name) => programs.get(name)?.isQuiet),
    [true, true, false, false, undefined],
  );
});
