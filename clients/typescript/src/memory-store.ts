/** What the gate remembers, in this process: enough for one host that keeps running. */
import type { Store } from './types.ts';

export function memoryStore(): Store {
  const held = new Map<string, string>();
  const used = new Set<string>();
  return {
    find: async (key) => held.get(key) ?? null,
    keep: async (key, event_id) => void held.set(key, event_id),
    forget: async (key) => void held.delete(key),
    claim: async (event_id) => !used.has(event_id) && used.add(event_id) !== undefined,
  };
}
