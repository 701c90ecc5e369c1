import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WeightsFile } from '../../scoring/network/weights-file.ts';
import { checksumOf, loadStructural, WEIGHTS_FILE } from './load-structural.ts';

const folder = mkdtempSync(join(tmpdir(), 'weights-'));
const shipped = JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')) as WeightsFile;

function written(name: string, file: WeightsFile | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  return path;
}
const withChecksum = (file: WeightsFile): WeightsFile => ({ ...file, checksum: checksumOf(file) });

test('the shipped weights load, and their version is their checksum', () => {
  assert.equal(loadStructural().version, shipped.checksum);
});

const BAD: readonly [name: string, file: () => WeightsFile | string, problem: RegExp][] = [
  ['cut', () => JSON.stringify(shipped).slice(0, 2_000), /is not JSON/],
  ['changed', () => ({ ...shipped, weights: `A${shipped.weights.slice(1)}` }), /is damaged: its checksum/],
  ['calibration', () => ({ ...shipped, calibration: { shift: 0, points: 9 } }), /is damaged/],
  ['format', () => withChecksum({ ...shipped, format: 2 as 1 }), /its format is 2/],
  ['features', () => withChecksum({ ...shipped, edge_kinds: ['says'] }), /other features or another shape/],
  [
    'short',
    () => withChecksum({ ...shipped, weights: shipped.weights.slice(0, 400) }),
    /does not hold the \d+ weights/,
  ],
  ['negative', () => withChecksum({ ...shipped, weights: negative() }), /has a negative weight/],
];

function negative(): string {
  const bytes = Buffer.from(shipped.weights, 'base64');
  bytes.writeFloatLE(-1, 0);
  return bytes.toString('base64');
}

for (const [name, file, problem] of BAD)
  test(`weights that are not usable (${name}) are refused with the file, the reason and what to do`, () => {
    const path = written(name, file());
    const check = (error: Error): boolean =>
      error.name === 'WeightsError' &&
      error.message.startsWith(path) &&
      problem.test(error.message) &&
      error.message.includes('GNN_ENABLED=false');
    assert.throws(() => loadStructural(path), check);
  });

test('missing weights are refused with what to do', () => {
  assert.throws(() => loadStructural(join(folder, 'none.json')), /cannot be read \(ENOENT\).*npm run train/);
});
