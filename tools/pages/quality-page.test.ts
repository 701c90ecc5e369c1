import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySource } from '../evaluation/by-source.ts';
import { countConfidence } from '../evaluation/confidence/count-confidence.ts';
import { countChanges, summarise } from '../evaluation/metamorphic/count-changes.ts';
import { type Judged, makeReport } from '../evaluation/report.ts';
import { countSessions } from '../evaluation/sessions/count-sessions.ts';
import { qualityPage } from './quality-page.ts';

const judged = (source: string, label: 0 | 1, score: number, confidence: number): Judged => ({
  source,
  label,
  kind: 'k',
  group: `${score}`,
  confidence,
  values: { score, intrinsic: 0, structural: null, policy: 0, verb_table: 0, number_of_calls: 1 },
});

const RECORDS = [
  judged('dcg', 1, 90, 0.9),
  judged('dcg', 0, 10, 0.9),
  judged('tldr', 0, 70, 0.7),
  judged('stockpile', 1, 20, 0.5),
];
const changes = countChanges(
  [{ change: 'result_escaped', source: 'dcg', id: 'x', label: 1, before: 90, after: 10 }],
  new Map([['result_escaped', 'verdict']]),
);
const step = { id: 'x', label: 0 as const, action: 'a:b:c', score: 5, score_alone: 5, is_held: false };
const page = qualityPage(
  {
    rule_set_version: 'v1',
    files: ['one'],
    by_source: bySource(makeReport(RECORDS, new Map([['shell', ['dcg', 'tldr']]]), { rounds: 0 })),
    sessions: countSessions([
      { source: 'dcg', steps: [step] },
      { source: 'tldr', steps: [step, step] },
    ]),
    changes: summarise(changes),
    beyond: [],
    confidence: countConfidence(RECORDS),
  },
  '## What is not seen\n\nMuch.\n',
);

test('each source stands beside its aim, and whether it is met', () => {
  assert.match(
    page,
    /^\| dcg \| 2 \| 1 \| 1\.000 .* met: AUROC ≥ 0\.93, met: benign ≤ 0\.01, met: recall ≥ 0\.75 \|$/m,
  );
  assert.match(page, /^\| tldr \| 1 \| 0 \| – .* \*\*missed: benign ≤ 0\.01\*\* \|$/m);
  assert.match(page, /^\| stockpile .* \*\*missed: recall ≥ 0\.75\*\* \|$/m);
  assert.match(page, /3 of 5 aims are met/);
});

test('sessions of one step are left out; changes, confidence and notes are there', () => {
  assert.match(page, /^\| tldr \| 1 \| 2 \| 0\.0 \|/m);
  assert.doesNotMatch(page, /^\| dcg \| 1 \| 1 \| 0\.0 \|/m);
  assert.match(page, /^\| result escaped \| 1 \| 1\.000 → 0\.000 \|/m);
  assert.match(page, /100\.0 % are unsure \(aim ≥ 60\.0 %: met\)/);
  assert.ok(page.endsWith('## What is not seen\n\nMuch.\n'));
  assert.doesNotMatch(page, /undefined|null|NaN/);
});
