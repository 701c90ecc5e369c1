/** Rows of `ontology/libraries/` and the mechanisms that read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../test/support/readings.ts';
import { OntologyError } from '../../ontology/index.ts';
import type { CallEntry } from '../../ontology/terms.ts';
import { JAVASCRIPT_READERS, javascriptLibrary } from '../javascript/javascript-calls.ts';
import { PYTHON_READERS, pythonLibrary } from '../python/python-calls.ts';
import { compileLibrary } from './library-calls.ts';

const entry: CallEntry = {
  where: 'libraries/python.yaml: `x` (a.b)',
  reader: '',
  effect: '',
  scope: 'one',
  object: '',
  result: [],
  returns: '',
  names: ['a.b'],
};

function compile(call: Partial<CallEntry>): void {
  const library = { where: 'libraries/python.yaml', calls: [{ ...entry, ...call }], constants: new Map() };
  const libraries = new Map([['python', { ...library, module_aliases: new Map() }]]);
  compileLibrary({ ...ontology, libraries }, 'python', {});
}

const refuses = (call: Partial<CallEntry>, message: RegExp): void =>
  assert.throws(
    () => compile(call),
    (error) => error instanceof OntologyError && message.test(error.problems[0]!),
  );

test('every shipped call has a reader, and every reader has a call', () => {
  for (const [language, readers, library] of [
    ['python', PYTHON_READERS, pythonLibrary],
    ['javascript', JAVASCRIPT_READERS, javascriptLibrary],
  ] as const) {
    assert.ok(library(ontology).calls.size > 200);
    const used = new Set(ontology.libraries.get(language)!.calls.map((call) => call.reader));
    for (const reader of Object.keys(readers)) assert.ok(used.has(reader), `no ${language} call uses ${reader}`);
  }
});

test('an unknown reader, effect or origin, or a language without libraries, is refused', () => {
  compile({ returns: 'text' });
  refuses({ reader: 'toString' }, /`x` \(a\.b\): the reader `toString` does not exist/);
  refuses({ effect: 'sings' }, /the effect `sings` does not exist/);
  refuses({ effect: 'spies', result: ['moon'] }, /`result` has the unknown origin `moon`/);
  assert.throws(() => compileLibrary(ontology, 'cobol', {}), /`cobol\.yaml` is missing/);
});
