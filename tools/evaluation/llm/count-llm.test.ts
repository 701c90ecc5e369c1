import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSeconds, type Second } from './count-llm.ts';

const second = (source: string, label: 0 | 1, confidence: number, before: number, after: number): Second => ({
  source,
  label,
  confidence,
  before,
  after,
  is_asked: confidence < 0.8,
  llm_score: confidence < 0.8 ? after : null,
  trouble: null,
  input_tokens: 10,
  output_tokens: 1,
  cost_usd: confidence < 0.8 ? 0.5 : 0,
});

test('misses that are recovered, false alarms that are added, and their cost', () => {
  const { all, sources, mean_recovered, bands, troubles } = countSeconds([
    second('a', 1, 0.5, 20, 70),
    second('a', 1, 0.9, 20, 20),
    second('a', 1, 0.5, 70, 90),
    second('a', 0, 0.5, 20, 61),
    second('b', 1, 0.7, 60, 61),
    second('b', 0, 0.85, 61, 61),
    { ...second('b', 0, 0.2, 10, 10), llm_score: null, trouble: 'late', cost_usd: 0 },
  ]);
  const { missed, recovered, benign, benign_asked, false_alarms, added_false_alarms, asked, answered, tokens } = all;
  assert.deepEqual([missed, recovered, benign, benign_asked, false_alarms, added_false_alarms], [3, 2, 3, 2, 1, 1]);
  assert.deepEqual([asked, answered, tokens, all.cost_usd], [5, 4, 55, 2]);
  assert.deepEqual(
    sources.map(({ name, missed, recovered }) => [name, missed, recovered]),
    [
      ['a', 2, 1],
      ['b', 1, 1],
    ],
  );
  assert.equal(mean_recovered, 0.75);
  assert.deepEqual(troubles, { late: 1 });
  assert.equal(
    bands.reduce((sum, { n }) => sum + n, 0),
    7,
  );
});

test('without prices there is no cost', () => {
  assert.equal(countSeconds([{ ...second('a', 1, 0.5, 20, 70), cost_usd: null }]).all.cost_usd, null);
});
