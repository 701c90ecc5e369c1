import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As `mkdir -p`; throws the file system's error. Node's own `recursive` option retries forever where a directory exists
 * and accepts no children, as /proc does.
 */
export function makeDirectory(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeDirectory(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process made it, or it was there before.
    const is_there = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!is_there) throw error;
  }
}
