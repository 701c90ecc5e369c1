/** Short-lived state of this process, bounded in entries and size; evicts the least recently used entry first. */
import { LRUCache } from 'lru-cache';
import type { Cache } from '../ports/cache.ts';
import { memoryMemories } from './memories.ts';

export interface MemoryCacheOptions {
  /** 50,000 by default. */
  max_entries?: number;
  /** Characters of keys and values together; 64 million by default, at most 128 MB of memory. */
  max_size?: number;
}

export function memoryCache(options: MemoryCacheOptions = {}): Cache {
  const { max_entries = 50_000, max_size = 64_000_000 } = options;
  const share = Math.max(1, Math.floor(max_size / max_entries));
  const entries = new LRUCache<string, string>({
    maxSize: max_size,
    // Each counts as a share of the entries as well. With `max`, it would take the room for all of them when it is made.
    sizeCalculation: (value, key) => Math.max(value.length + key.length, share),
  });
  const memories = memoryMemories();
  return {
    memories,
    async get(key) {
      return entries.get(key) ?? null;
    },
    async set(key, value, ttl_ms) {
      entries.set(key, value, { ttl: ttl_ms });
    },
    async delete(key) {
      entries.delete(key);
    },
    async increment(key, by, ttl_ms) {
      const value = Number(entries.get(key) ?? 0) + by;
      entries.set(key, String(value), { ttl: ttl_ms, noUpdateTTL: true });
      return value;
    },
    async health() {
      return { status: 'ok', latency_ms: 0 };
    },
    async close() {
      entries.clear();
      memories.clear();
    },
  };
}
