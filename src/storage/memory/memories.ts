/** Memories of agents and sessions in this process: the objects themselves, so that a read is one look-up. */
import { LRUCache } from 'lru-cache';
import type { Memory } from '../../scoring/history/memory.ts';
import { memorySize } from '../memory-size.ts';
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
