/** A secret that is made once and kept in a file that only this user can read. */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from './make-directory.ts';

export interface KeptSecret {
  text: string;
  /** It was made by this call. */
  is_new: boolean;
}

/**
 * The secret in `file`; `make` gives it when there is none. Two processes that start at once end up with one secret: the file appears
 * whole or not at all, and the first one stays. Rejects with the file system's error.
 */
export async function readOrMakeSecret(file: string, make: () => string): Promise<KeptSecret> {
  const there = await readSecret(file);
  if (there !== null) return { text: there, is_new: false };
  makeDirectory(dirname(file));
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(fresh, 'wx', 0o600);
  let is_new = true;
  try {
    await handle.writeFile(`${make()}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    is_new = false;
  } finally {
    await unlink(fresh);
  }
  return { text: (await readSecret(file))!, is_new };
}

/** The secret in a file, `null` when there is no such file. Rejects with the file system's error when it cannot be read. */
async function readSecret(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
