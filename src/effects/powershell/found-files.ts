/** Files that a listing of PowerShell found, as far as their paths are known. */
import { FROM, HOLE } from '../data.ts';
import { deletePath } from '../deeds/delete-file.ts';
import type { World } from '../world.ts';
import type { Value } from './values.ts';

/** The same files, of which an unknown condition leaves only some. */
export const narrowed = (pattern: string): string => pattern.replaceAll('*', HOLE);

/** Removes what a value stands for: one path, or each pattern that a listing searched. All that is in a folder goes like its tree. */
export function deleteItem(world: World, path: Value, excerpt: string, isDeep: boolean): void {
  const isFound = (path.taint & FROM.listing) !== 0;
  if (path.text !== HOLE || path.found === undefined)
    deletePath(world, path.text, excerpt, isDeep, isFound || /[*?]/.test(path.text));
  else
    for (const one of path.found) deletePath(world, one, excerpt, isDeep || one.endsWith('/*'), /[*?\uf8ff]/.test(one));
}
