import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As `mkdir -p`; throws the file system's error. Not Node's own `recursive`, which tries for ever where a directory is there
 * and takes no others, as /proc does.
 */
export function makeDirectory(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeDirectory(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else's, or there before.
    const is_there = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!is_there) throw error;
  }
}
