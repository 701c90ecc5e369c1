/** Opens the data of the settings for one piece of work on the command line. A server may run on the same data. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../platform/settings.ts';
import type { Storage } from '../storage/ports/storage.ts';

export const notice = (text: string): void => void process.stderr.write(`weir: ${text}\n`);

/**
 * Opens the storage; the caller closes it. Says so when it made a new data directory: DATA_DIR is relative by default,
 * and no server knows a key or a token that was made in another directory.
 */
export async function openData(settings: Settings): Promise<Storage> {
  const is_new = settings.DATABASE_URL === null && !existsSync(settings.DATA_DIR);
  const { openStorage } = await import('../compose.ts');
  const storage = await openStorage(settings, notice);
  if (is_new) {
    const dir = resolve(settings.DATA_DIR);
    notice(
      `made a new data directory \`${dir}\`; if a server has its data elsewhere, set its DATA_DIR or DATABASE_URL`,
    );
  }
  return storage;
}
