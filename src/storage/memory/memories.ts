/** Memories of agents and sessions in this process: the objects themselves, so that a read is one look-up. */
import { LRUCache } from 'lru-cache';
import type { Memory } from '../../scoring/history/memory.ts';
import type { MemoryCache } from '../ports/cache.ts';

/** About 10,000 memories; the least recently used one is evicted first, and rebuilt when it is needed. */
const MAX_BYTES = 100_000_000;

export function memoryMemories(max_bytes = MAX_BYTES): MemoryCache & { clear(): void } {
  const memories = new LRUCache<string, Memory>({ maxSize: max_bytes, sizeCalculation: memorySize });
  const get = (key: string): Memory | null => memories.get(key) ?? null;
  const set = (key: string, memory: Memory, ttl_ms: number): void => void memories.set(key, memory, { ttl: ttl_ms });
  return {
    async read(keys) {
      return keys.map(get);
    },
    async update(key, change, ttl_ms) {
      const changed = change(get(key));
      if (changed !== null) set(key, changed, ttl_ms);
    },
    here: { get, set },
    clear: () => memories.clear(),
  };
}

const BASE_BYTES = 2_500;
const NAME_BYTES = 250;
const ACTION_BYTES = 500;
const ID_BYTES = 150;
const NOTE_BYTES = 1_000;

/** About how many bytes a memory takes in this process: the bound of caches counts them. */
export function memorySize({ actions, resources, places, last, told, notes }: Memory): number {
  const names = actions.entries.length + resources.entries.length + places.entries.length;
  return (
    BASE_BYTES + NAME_BYTES * names + ACTION_BYTES * last.length + ID_BYTES * told.length + NOTE_BYTES * notes.length
  );
}
