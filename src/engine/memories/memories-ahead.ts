/** Memories that include events which are scored but not stored yet, for events that are scored in order and stored together. */
import { type Memory, remember } from '../../scoring/history/memory.ts';
import type { Memories as Recalled } from '../../scoring/history/recall.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { Memories, Owner, Owners } from './memories.ts';

export interface MemoriesAhead {
  /** The memories of these owners, with the events that were learnt here. */
  recall(owners: Owners): Promise<Recalled>;
  /** Adds an event that is not durable yet; no other row sees it. Its owners must have been recalled before. */
  learn(owners: Owners, trace: StoredTrace): void;
}

/** For one row of events; the shared memories learn of each event once it is stored. */
export function createMemoriesAhead(recall: Memories['recall']): MemoriesAhead {
  /** Memories as they were when they were read, by cache key. */
  const recalled = new Map<string, Memory>();
  /** Copies that include the events of this row. */
  const ahead = new Map<string, Memory>();

  const knownOf = (owner: Owner | null): Memory | null | undefined =>
    owner === null ? null : (ahead.get(owner.cache_key) ?? recalled.get(owner.cache_key));

  return {
    async recall(owners) {
      const [agent, session, shared] = [owners.agent, owners.session, owners.shared].map(knownOf);
      if (agent !== undefined && session !== undefined && shared !== undefined) return { agent, session, shared };
      const found = await recall(owners);
      if (owners.agent !== null) recalled.set(owners.agent.cache_key, found.agent!);
      if (owners.session !== null) recalled.set(owners.session.cache_key, found.session!);
      recalled.set(owners.shared.cache_key, found.shared!);
      return { agent: agent ?? found.agent, session: session ?? found.session, shared: shared ?? found.shared! };
    },
    learn(owners, trace) {
      // Marks are for other sessions, which may as well wait until the event is stored.
      for (const owner of [owners.agent, owners.session]) {
        if (owner === null) continue;
        const { cache_key } = owner;
        // A copy, because the memory itself is shared by all events of this process.
        const memory = ahead.get(cache_key) ?? structuredClone(recalled.get(cache_key)!);
        ahead.set(cache_key, remember(memory, trace));
      }
    },
  };
}
