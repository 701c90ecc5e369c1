/** The free space of the file systems that durable data is on. */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below this a database may stop taking writes soon: its log alone grows by up to a gibibyte between two checkpoints. */
export const LOW_BYTES = 256 * 2 ** 20;
const PATIENCE_MS = 1_000;

export interface DiskHealth {
  /** `degraded`: little is left; `error`: it cannot be told. */
  status: 'ok' | 'degraded' | 'error';
  /** Of the file system with the least, for this user; `null` where it cannot be told. */
  free_bytes: number | null;
}

export type FreeBytes = (path: string) => Promise<number>;

/** Bytes that this user may still write below `path`, or below its nearest folder that exists. */
export async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(resolve(path));
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === resolve(path)) throw error;
    return freeBytes(parent);
  }
}

/** Never rejects; a file system that does not answer within a second is an error. */
export async function measureDisk(paths: readonly string[], measure: FreeBytes = freeBytes): Promise<DiskHealth> {
  const unknown: DiskHealth = { status: 'error', free_bytes: null };
  const measured = Promise.all(paths.map(measure)).then(
    (found): DiskHealth => {
      const free_bytes = Math.min(...found);
      return { status: free_bytes < LOW_BYTES ? 'degraded' : 'ok', free_bytes };
    },
    () => unknown,
  );
  return Promise.race([measured, sleep(PATIENCE_MS, unknown, { ref: false })]);
}
