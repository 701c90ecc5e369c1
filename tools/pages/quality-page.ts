/**
 * Writes the measured parts of docs/quality.md: `npx node tools/pages/quality-page.ts`. Each part stands between two comments
 * and is what `weir eval` prints for it, so that the page cannot claim what the program does not show.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replacePart } from './markdown.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/quality.md');
const DATA = join(process.env['SHARED_DIR'] ?? join(ROOT, '../shared'), 'data/agent-actions');

const SLICES = ['injected=agentdyn,injecagent', 'execution=redcode_exec,intercode,bigcodebench'];

/** Part of the page → file and further options. */
const PARTS: ReadonlyMap<string, { file: string; options: readonly string[] }> = new Map([
  ['dev', { file: 'dev.jsonl.gz', options: SLICES.flatMap((slice) => ['--slice', slice]) }],
  ['train', { file: 'train.jsonl.gz', options: [...SLICES.flatMap((slice) => ['--slice', slice]), '--by-rule'] }],
]);

function evaluate(file: string, options: readonly string[]): string {
  const path = join(DATA, file);
  if (!existsSync(path))
    throw new Error(`${path} is not there; set SHARED_DIR to the folder that holds data/agent-actions`);
  const args = [join(ROOT, 'src/main.ts'), 'eval', path, '--markdown', ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`weir eval ${file} failed: ${stderr}`);
  return stdout.trim();
}

let page = readFileSync(PAGE, 'utf8');
for (const [name, { file, options }] of PARTS) page = replacePart(page, name, evaluate(file, options));
writeFileSync(PAGE, page);
console.log(`wrote ${PAGE}`);
