/** What events know of each other that are scored one after the other and stored together. */
import { type Memory, remember } from '../../scoring/history/memory.ts';
import type { Memories as Recalled } from '../../scoring/history/recall.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { Memories, Owner, Owners } from './memories.ts';

export interface MemoriesAhead {
  /** What is remembered of these, and what was learnt here. */
  recall(owners: Owners): Promise<Recalled>;
  /** Adds an event that is not durable yet: nobody else hears of it. Its owners were recalled before. */
  learn(owners: Owners, trace: StoredTrace): void;
}

/** For events in a row; the memories themselves learn of them once they are stored. */
export function createMemoriesAhead(recall: Memories['recall']): MemoriesAhead {
  /** As they were when they were asked for, by cache key. */
  const recalled = new Map<string, Memory>();
  /** Copies, which know more. */
  const ahead = new Map<string, Memory>();

  const knownOf = (owner: Owner | null): Memory | null | undefined =>
    owner === null ? null : (ahead.get(owner.cache_key) ?? recalled.get(owner.cache_key));

  return {
    async recall(owners) {
      const [agent, session] = [knownOf(owners.agent), knownOf(owners.session)];
      if (agent !== undefined && session !== undefined) return { agent, session };
      const found = await recall(owners);
      if (owners.agent !== null) recalled.set(owners.agent.cache_key, found.agent!);
      if (owners.session !== null) recalled.set(owners.session.cache_key, found.session!);
      return { agent: agent ?? found.agent, session: session ?? found.session };
    },
    learn(owners, trace) {
      for (const owner of [owners.agent, owners.session]) {
        if (owner === null) continue;
        const { cache_key } = owner;
        // A memory in this process is everybody's.
        const memory = ahead.get(cache_key) ?? structuredClone(recalled.get(cache_key)!);
        ahead.set(cache_key, remember(memory, trace));
      }
    },
  };
}
