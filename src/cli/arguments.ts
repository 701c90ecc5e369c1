/** Arguments that several commands take, and what several help texts say. */
import { InvalidArgumentError } from 'commander';
import { parseUuid } from '../platform/ids.ts';

/** Reads a UUID of the command line in any spelling. */
export function uuid(text: string): string {
  const id = parseUuid(text);
  if (id === null) throw new InvalidArgumentError('it must be a UUID.');
  return id;
}

/** Of commands that open the stores themselves. */
export const ABOUT_STORES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.
`;
