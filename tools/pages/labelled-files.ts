/** The labelled actions, which are not in this repository: `SHARED_DIR`, by default `../shared`. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SHARED = process.env['SHARED_DIR'] ?? resolve(import.meta.dirname, '../../../shared');

/** Below `data/`. */
const LABELLED_FILES: readonly string[] = [
  'agent-actions/train.jsonl.gz',
  'agent-actions/dev.jsonl.gz',
  'agent-actions-2/train.jsonl.gz',
  'agent-actions-2/dev.jsonl.gz',
];

/** Name below `data/` and path of each file. Throws when one is not there. */
export function labelledFiles(): { name: string; path: string }[] {
  return LABELLED_FILES.map((name) => {
    const path = join(SHARED, 'data', name);
    if (!existsSync(path)) throw new Error(`${path} is not there; set SHARED_DIR to the folder that holds data/`);
    return { name, path };
  });
}
