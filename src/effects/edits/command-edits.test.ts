import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { editsOfCommand } from './command-edits.ts';

const ontology = loadOntology();

const partsOf = (command: string): string[][] =>
  editsOfCommand(command, ontology).map(({ path, before, after }) => [path, before, after]);

test('an edit in place has a file, an old text and a new one', () => {
  assert.deepEqual(partsOf("sed -i 's/debug = true/debug = false/' app.ini"), [
    ['app.ini', 'debug = true', 'debug = false'],
  ]);
  assert.deepEqual(partsOf('cd a && sed -i -E "s|https://a|http://b|g" x/y.ts && make'), [
    ['x/y.ts', 'https://a', 'http://b'],
  ]);
  assert.deepEqual(partsOf("perl -pi -e 's/a\\/b/c/' f.txt"), [['f.txt', 'a/b', 'c']]);
});

test('every expression of a call is an edit, on lines that go on as on one', () => {
  const edits = [
    ['x/a.py', 'a.b', 'c'],
    ['x/a.py', 'assert d', 'pass'],
  ];
  assert.deepEqual(partsOf("sed -i -e 's/a\\.b/c/g' -e 's/assert d/pass/' x/a.py"), edits);
  assert.deepEqual(partsOf("sed -i \\\n -e 's/a\\.b/c/g' \\\n --expression='s/assert d/pass/' \\\n x/a.py"), edits);
});

test('a stream editor that only prints edits nothing', () => {
  assert.deepEqual(partsOf("sed 's/a/b/' f.txt"), []);
  assert.deepEqual(partsOf("sed -n '1,4p' f.txt"), []);
  assert.deepEqual(partsOf('echo used -i'), []);
});
