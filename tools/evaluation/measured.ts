/** The committed figures of the rules. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Measured } from './rule-figures.ts';

export const RULE_PAGES = resolve(import.meta.dirname, '../../docs/rules');
export const MEASURED_FILE = resolve(RULE_PAGES, 'measured.json');

/** `null` where the documentation is not beside the program. */
export async function readMeasured(): Promise<Measured | null> {
  try {
    return JSON.parse(await readFile(MEASURED_FILE, 'utf8')) as Measured;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
