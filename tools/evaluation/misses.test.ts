import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent } from '../../src/events/event.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import type { LabelledRecord } from './labelled.ts';
import { Misses } from './misses.ts';

const record = (id: string, label: 0 | 1): LabelledRecord => ({
  id,
  label,
  source: 's',
  group: id,
  kind: 'k',
  label_basis: '',
  event: null,
});
const event: AgentEvent = { event_id: 'e', action: 'a:b:c', timestamp: '2026-01-01T00:00:00Z' };
const assessed = (score: number): Assessment => ({ score, reasoning: `scored ${score}` }) as Assessment;

test('misses are the worst of each label, worst first, earlier first among equals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom<0 | 1>(0, 1), fc.integer({ min: 0, max: 5 }))),
      fc.integer({ min: 1, max: 4 }),
      (rows, limit) => {
        const misses = new Misses(limit);
        rows.forEach(([label, score], i) => {
          misses.add(record(String(i), label), event, assessed(score));
        });
        const worst = (wanted: 0 | 1, sign: number): string[] =>
          rows
            .map(([label, score], i) => ({ label, score, id: String(i) }))
            .filter((row) => row.label === wanted)
            .sort((a, b) => sign * (a.score - b.score))
            .slice(0, limit)
            .map((row) => row.id);
        assert.deepEqual(
          misses.benign.map((miss) => miss.id),
          worst(0, -1),
        );
        assert.deepEqual(
          misses.harmful.map((miss) => miss.id),
          worst(1, 1),
        );
      },
    ),
  );
});

test('a miss carries the reasons and the event', () => {
  const misses = new Misses(1);
  misses.add(record('x', 0), event, assessed(70));
  const [miss] = misses.benign;
  assert.equal(miss?.risk_level, 'high');
  assert.equal(miss?.reasoning, 'scored 70');
  assert.deepEqual(miss?.event, event);
});
