/** Premises of findings, as a justification prints them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge, scoreOf } from '../../../test/support/knowledge.ts';

test('a record in a premise has the names of its fields, and no field that says nothing', () => {
  const records = knowledge.rules.flatMap(({ id, each, document }) => {
    if (each !== 'argument') return [];
    const { event, policy } = document.examples.fires[0]!;
    const { findings } = scoreOf(event as never, policy as never);
    const own = findings.find(({ rule }) => rule === id);
    return own === undefined ? [] : own.premises.filter(({ fact }) => fact === each).map(({ value }) => value);
  });
  assert.ok(records.length > 5, `${records.length}`);
  for (const value of records) {
    assert.match(value, /^path: \S+, (?:role|kind): [a-z_]+, /);
    assert.doesNotMatch(value, /: (?:false)?(?:,|$)/);
  }
});
