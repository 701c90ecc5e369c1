/** What entries of libraries must not be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, build, push, set, smallest, testBroken } from '../../test/support/smallest-ontology.ts';

const FILE = 'libraries/python.yaml';

test('a call is read by its reader, has one effect, or returns a text', () => {
  const documents = smallest();
  push(at(documents, FILE)['calls'], { effect: 'spies', result: ['personal'], names: ['mss.mss'] });
  push(at(documents, FILE)['calls'], { returns: '.', names: ['os.getcwd'] });
  const library = build(documents).libraries.get('python')!;
  const nothing = { reader: '', effect: '', scope: 'one', object: '', result: [], returns: '' };
  assert.deepEqual(library.calls, [
    { ...nothing, where: `${FILE}: \`removes_file\` (os.remove)`, reader: 'removes_file', names: ['os.remove'] },
    { ...nothing, where: `${FILE}: entry 2 (mss.mss)`, effect: 'spies', result: ['personal'], names: ['mss.mss'] },
    { ...nothing, where: `${FILE}: entry 3 (os.getcwd)`, returns: '.', names: ['os.getcwd'] },
  ]);
});

testBroken([
  [
    'call in two entries',
    (d) => push(at(d, FILE)['calls'], { reader: 'runs_shell', names: ['os.remove'] }),
    /`runs_shell`: the call `os\.remove` stands in libraries\/python\.yaml: `removes_file` \(os\.remove\) already/,
  ],
  ['call twice in an entry', set(FILE, 'calls 0', 'names', ['a.b', 'a.b']), /`names` has `a\.b` twice/],
  ['entry without a call', set(FILE, 'calls 0', 'names', []), /`names` is empty/],
  [
    'entry without a reader',
    (d) => delete at(d, FILE, 'calls 0')['reader'],
    /has none or several of `reader`, `effect` and `returns`/,
  ],
  [
    'entry with a reader and an effect',
    set(FILE, 'calls 0', 'effect', 'spies'),
    /has none or several of `reader`, `effect` and `returns`/,
  ],
  ['scope of a reader', set(FILE, 'calls 0', 'scope', 'many'), /belong to an `effect`/],
  [
    'unknown scope',
    (d) => push(at(d, FILE)['calls'], { effect: 'spies', scope: 'all', names: ['mss.mss'] }),
    /`scope` is `all`; write one of scratch, one, many, everything/,
  ],
  ['misspelt field', set(FILE, 'calls 0', 'name', ['a']), /has the unknown field `name`/],
]);
