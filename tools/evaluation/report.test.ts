import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Judged, makeReport, type ReportRow } from './report.ts';

function judged(source: string, label: 0 | 1, kind: string, score: number, group: string): Judged {
  return {
    source,
    label,
    kind,
    group,
    confidence: 1,
    values: { score, intrinsic: score / 2, structural: null, policy: 0, number_of_calls: 3 },
  };
}

const RECORDS = [
  judged('a', 1, 'fraud', 90, 'g1'),
  judged('a', 1, 'leak', 40, 'g2'),
  judged('a', 0, 'benign', 70, 'g3'),
  judged('a', 0, 'benign', 10, 'g3'),
  judged('b', 0, 'plain', 61, 'g4'),
  judged('b', 0, 'plain', 60, 'g5'),
];
const report = makeReport(RECORDS, new Map([['together', ['a', 'b']]]), { rounds: 50 });
const row = (by: ReportRow['by'], name: string): ReportRow => report.rows.find((r) => r.by === by && r.name === name)!;
const value = (r: ReportRow, measure: string, scorer = 'score'): number | null => r.scorers[scorer]![measure]!.value;

test('rows: pooled first, then slices, sources and kinds', () => {
  assert.deepEqual(
    report.rows.map((r) => `${r.by} ${r.name} ${r.harmful}/${r.n} ${r.groups}`),
    [
      'all all 2/6 5',
      'slice together 2/6 5',
      'source a 2/4 3',
      'source b 0/2 2',
      'kind benign 0/2 1',
      'kind fraud 1/3 2',
      'kind leak 1/3 2',
      'kind plain 0/2 2',
    ],
  );
});

test('numbers by hand', () => {
  // Pooled: 90 beats 4, 40 beats 1 of 4 benign.
  assert.equal(value(row('all', 'all'), 'auroc'), 5 / 8);
  assert.equal(value(row('all', 'all'), 'recall_at_fpr_1'), 1 / 2);
  assert.equal(value(row('all', 'all'), 'fpr_at_high'), 2 / 4, '61 is high, 60 is not');
  assert.equal(value(row('all', 'all'), 'recall_at_high'), 1 / 2);
  // A kind stands against the benign records of its own source: 40 beats 10, loses to 70.
  assert.equal(value(row('kind', 'leak'), 'auroc'), 1 / 2);
  assert.equal(value(row('source', 'b'), 'auroc'), null);
  assert.equal(value(row('source', 'b'), 'fpr_at_high'), 1 / 2);
  assert.equal(value(row('all', 'all'), 'auroc', 'policy'), 1 / 2, 'a constant tells nothing');
});

test('absent layers are left out, and a count of calls has no high threshold', () => {
  assert.deepEqual(Object.keys(row('all', 'all').scorers), ['score', 'intrinsic', 'policy', 'number_of_calls']);
  assert.equal(value(row('all', 'all'), 'fpr_at_high', 'number_of_calls'), null);
});

test('the same records give the same report', () => {
  assert.deepEqual(makeReport(RECORDS, new Map([['together', ['a', 'b']]]), { rounds: 50 }), report);
  const { interval } = row('all', 'all').scorers['score']!['auroc']!;
  assert.ok(interval !== null && interval.low <= 5 / 8 && interval.high >= 5 / 8);
});
