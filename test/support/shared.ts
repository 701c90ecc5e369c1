/** Reference material that may lie beside a checkout (vectors, labelled data). Tests that need it skip loudly without it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SHARED = resolve(process.env['SHARED_DIR'] ?? join(ROOT, '../shared'));

/** Path of a file below `../shared` (or `SHARED_DIR`), `null` when it is not there. */
export function sharedFile(path: string): string | null {
  const file = join(SHARED, path);
  return existsSync(file) ? file : null;
}
