/** What must hold for every row of the fact tables. Which facts are read at all is checked in test/docs/pages.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_VOCABULARY } from '../../lang/conditions/event-vocabulary.ts';
import { FACT_BY_NAME, FACTS } from './index.ts';

test('no two tables have a fact of the same name', () => {
  assert.equal(FACT_BY_NAME.size, FACTS.length);
});

test('each fact has one sentence of meaning and the version that introduced it', () => {
  for (const { name, about, since } of FACTS) {
    assert.match(about, /^[`A-Z].*\.$/, name);
    assert.match(since, /^\d+\.\d+\.\d+$/, name);
  }
});

test('an internal fact names what customers may read instead, wherever they read it', () => {
  for (const { name, is_public, is_from_text, nearest } of FACTS) {
    if (is_public) continue;
    const root = nearest.replace(/\(.*/, '');
    const other = FACT_BY_NAME.get(root);
    if (other === undefined) assert.ok(EVENT_VOCABULARY.functions.has(root), `${name}: ${nearest}`);
    else assert.ok(other.is_public && (is_from_text || !other.is_from_text), `${name}: ${nearest}`);
  }
});
