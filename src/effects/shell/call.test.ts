/** Options of commands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, readOptions } from './call.ts';

const read = (line: string, withValue = '', stop = false) =>
  readOptions(
    line.split(' ').map((w) => field(w)),
    new Set(withValue.split(' ')),
    stop,
  );

test('clusters, values and operands', () => {
  const o = read('-rf --output=x -o y -ozz -d body --name n a b -- -c', 'o d name');
  assert.ok(o.has(['r']) && o.has(['f']) && o.has(['rf']));
  assert.equal(o.value(['output']), 'x');
  assert.deepEqual(
    o.values(['o']).map((v) => v.text),
    ['y', 'zz'],
  );
  assert.equal(o.value(['d']), 'body');
  assert.equal(o.value(['name']), 'n');
  assert.deepEqual(
    o.operands.map((v) => v.text),
    ['a', 'b', '-c'],
  );
});

test('a wrapper stops at the command it wraps', () => {
  const o = read('-u root rm -rf /', 'u', true);
  assert.equal(o.value(['u']), 'root');
  assert.deepEqual(
    o.operands.map((v) => v.text),
    ['rm', '-rf', '/'],
  );
});

test('numbers are options, a lone dash is an operand', () => {
  const o = read('-20 -');
  assert.ok(o.has(['number']));
  assert.deepEqual(
    o.operands.map((v) => v.text),
    ['-'],
  );
});
