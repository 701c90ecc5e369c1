/** Approximate bytes that a memory takes in this process: the bound of caches of memories. */
import type { Memory } from '../scoring/history/memory.ts';

const BASE_BYTES = 2_500;
const NAME_BYTES = 250;
const ACTION_BYTES = 500;
const ID_BYTES = 150;

export function memorySize({ actions, resources, places, last, told }: Memory): number {
  const names = actions.entries.length + resources.entries.length + places.entries.length;
  return BASE_BYTES + NAME_BYTES * names + ACTION_BYTES * last.length + ID_BYTES * told.length;
}
