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

test('a stream editor that only prints edits nothing', () => {
  assert.deepEqual(partsOf("sed 's/a/b/' f.txt"), []);
  assert.deepEqual(partsOf("sed -n '1,4p' f.txt"), []);
  assert.deepEqual(partsOf('echo used -i'), []);
});
