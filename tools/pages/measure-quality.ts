/**
 * Measures everything that docs/quality.md shows and writes docs/quality-measured.json: `npx node tools/pages/measure-quality.ts`,
 * then `npm run pages`. Needs the data (SHARED_DIR, default ../shared); a few minutes.
 */
import { writeFileSync } from 'node:fs';
import { measureConfidence } from '../evaluation/confidence/measure-confidence.ts';
import { measureScore } from '../evaluation/measure-score.ts';
import type { ChangeRow } from '../evaluation/metamorphic/count-changes.ts';
import { measureChanges } from '../evaluation/metamorphic/measure-changes.ts';
import type { Mode } from '../evaluation/mode.ts';
import { measureSessions } from '../evaluation/sessions/measure-sessions.ts';
import { labelledFiles } from './labelled-files.ts';
import { type MeasuredQuality, QUALITY_FILE } from './measured-quality.ts';
import { LIKE_WITH_LIKE } from './quality-aims.ts';

const files = labelledFiles();

async function measure<T>(mode: Mode): Promise<T> {
  const options = { slice: LIKE_WITH_LIKE, rounds: 0, seed: 1, misses: 0 };
  const { refused, document } = await mode(
    files.map(({ path }) => path),
    options,
  );
  if (refused > 0) throw new Error(`${refused} lines are no labelled records`);
  return document() as T;
}

const score = await measure<Pick<MeasuredQuality, 'rule_set_version' | 'by_source'>>(measureScore);
const { rows, mean, promises } = await measure<MeasuredQuality['confidence']>(measureConfidence);
const { sessions } = await measure<Pick<MeasuredQuality, 'sessions'>>(measureSessions);
const { changes, by_source } = await measure<{ changes: MeasuredQuality['changes']; by_source: ChangeRow[] }>(
  measureChanges,
);

const measured: MeasuredQuality = {
  rule_set_version: score.rule_set_version,
  files: files.map(({ name }) => name),
  by_source: score.by_source,
  sessions,
  changes,
  beyond: by_source.filter(({ is_beyond }) => is_beyond),
  confidence: { rows, mean, promises },
};
/** Six digits, so that the file shows what changed and no noise. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(6)) : value;
/** One line an entry of each list. */
const lines = Object.entries(measured).map(([name, value]) => {
  const text = Array.isArray(value)
    ? `[\n${value.map((one) => `    ${JSON.stringify(one, rounded)}`).join(',\n')}\n  ]`
    : JSON.stringify(value, rounded);
  return `  ${JSON.stringify(name)}: ${text}`;
});
writeFileSync(QUALITY_FILE, `{\n${lines.join(',\n')}\n}\n`);
console.log(`wrote ${QUALITY_FILE}`);
