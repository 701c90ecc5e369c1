import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySource, renderBySource } from './by-source.ts';
import { TERMINAL } from './rendering.ts';
import { type Judged, makeReport } from './report.ts';

const judged = (source: string, label: 0 | 1, score: number): Judged => ({
  source,
  label,
  kind: 'k',
  group: `${source}${label}${score}`,
  confidence: 1,
  values: { score, intrinsic: 0, structural: null, policy: 0, verb_table: 0, number_of_calls: 1 },
});

// `large` has many records and no alarm; `small` has one benign record, which is at high.
const RECORDS = [
  judged('large', 1, 90),
  judged('large', 1, 20),
  ...Array.from({ length: 8 }, (_, i) => judged('large', 0, i)),
  judged('small', 0, 61),
  judged('harmful', 1, 70),
];
const figures = bySource(makeReport(RECORDS, new Map([['both', ['large', 'small']]]), { rounds: 0 }));

test('each source counts once, where the measure applies to it', () => {
  assert.deepEqual(figures.mean, {
    auroc: 1,
    recall_at_fpr_1: 1,
    recall_at_fpr_5: 1,
    benign_at_high: 1 / 2,
    recall_at_high: (1 / 2 + 1) / 2,
    sources: { auroc: 1, recall_at_fpr_1: 1, recall_at_fpr_5: 1, benign_at_high: 2, recall_at_high: 2 },
  });
});

test('the worst source of each measure', () => {
  assert.deepEqual(figures.worst.benign_at_high, { source: 'small', value: 1 });
  assert.deepEqual(figures.worst.recall_at_high, { source: 'large', value: 1 / 2 });
  assert.equal(figures.worst.auroc!.source, 'large');
});

test('slices stand before the sources and are in no mean', () => {
  assert.deepEqual(
    figures.rows.map(({ by, name, n }) => `${by} ${name} ${n}`),
    ['slice both 11', 'source harmful 1', 'source large 10', 'source small 1'],
  );
  assert.match(renderBySource(figures, TERMINAL), /^mean over sources .* 0\.500 +0\.750$/m);
});
