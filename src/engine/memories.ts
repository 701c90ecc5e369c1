/**
 * What the server remembers of agents and sessions, at hand when an event is scored and brought up to date after its
 * score is durable. The cache holds it; the database can always make it again, so that losing the cache makes no agent
 * look new. Where the cache is away the database is asked each time.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import { type Memory, memoryOf, remember } from '../scoring/history/memory.ts';
import type { Memories as Recalled } from '../scoring/history/recall.ts';
import type { StoredTrace } from '../scoring/history/trace.ts';
import { remembering } from '../scoring/read/remember.ts';
import type { AgentEvent } from '../scoring/types.ts';
import { type Cache, type Past, type Storage, StoreUnavailable, type TraceOwner } from '../storage/ports.ts';
import { together } from './together.ts';

/** Whose memories one event concerns. */
export type Owners = Pick<Past, 'agent_key' | 'session_key'>;

export interface Memories {
  /** What is remembered of these, at once where it is at hand; rejects with `StoreUnavailable` when neither cache nor database can tell. */
  recall(customer_id: string, owners: Owners): Recalled | Promise<Recalled>;
  /** Adds an event whose score is durable; returns at once. Only ever call it for the call that stored the event. */
  learn(customer_id: string, owners: Owners, stored: StoredTrace): void;
  /** Milliseconds since 1970 by the database's clock, as far as its answers told. */
  now(): number;
  /** Resolves when all that was learnt is in the cache, or given up. */
  drain(): Promise<void>;
}

/** So many newest events make a memory again. A few milliseconds, on an index. */
const TRACES = 200;
/** Made again from the database afterwards, so that made-up ids cannot fill the cache for long. */
const TTL_MS: Readonly<Record<TraceOwner['kind'], number>> = { agent: 7 * 86_400_000, session: 86_400_000 };
/** Memories that this process knows the cache to hold without the newest event. */
const MAX_STALE = 100_000;
/** After a failure the cache is left alone for so long: waiting for its time-out at each event would slow all of them. */
const PAUSE_MS = 1_000;
/** Changes when the form of a memory does: a cache may be shared by two versions. */
const FORM = 1;
const KEY_DIGITS = 32;

/** Hashes, because an id may hold any text; the kind is part of it, so that an agent is never taken for a session. */
const keyOf = (kind: TraceOwner['kind'], id: string | undefined): string | null =>
  id === undefined || id === '' ? null : hashOf(`${kind} ${id}`);

/** The same agents and sessions come back with each of their events. */
const hashOf = remembering((name) => hash('sha256', name, 'hex').slice(0, KEY_DIGITS));

/** Null for an event that names neither agent nor session: nothing can be remembered of it. */
export function ownersOf({ agent, session }: AgentEvent): Owners | null {
  const agent_key = keyOf('agent', agent?.agent_id);
  const session_key = keyOf('session', session?.session_id);
  return agent_key === null && session_key === null ? null : { agent_key, session_key };
}

const cacheKey = ({ customer_id, kind, key }: TraceOwner): string => `memory${FORM}:${customer_id}:${kind}:${key}`;

function ownerList(customer_id: string, { agent_key, session_key }: Owners): TraceOwner[] {
  const owners: TraceOwner[] = [];
  if (agent_key !== null) owners.push({ customer_id, kind: 'agent', key: agent_key });
  if (session_key !== null) owners.push({ customer_id, kind: 'session', key: session_key });
  return owners;
}

function byKind(list: readonly TraceOwner[], memories: readonly Memory[]): Recalled {
  const recalled: Recalled = { agent: null, session: null };
  for (const [i, { kind }] of list.entries()) recalled[kind] = memories[i]!;
  return recalled;
}

export interface MemoriesParts {
  storage: Pick<Storage, 'scores'>;
  cache: Pick<Cache, 'memories'>;
  clock: Clock;
}

export function createMemories({ storage, cache, clock }: MemoriesParts): Memories {
  /** Changes under way, by cache key, so that the next event of the same agent waits for them and sees them. */
  const changes = new Map<string, { done: Promise<void>; traces: StoredTrace[] }>();
  const stale = new LRUCache<string, true>({ max: MAX_STALE });
  const { here } = cache.memories;
  let paused_until = 0;
  /** Database time minus ours. */
  let offset_ms = 0;

  async function readCache(keys: string[]): Promise<(Memory | null)[]> {
    if (clock.ticks() < paused_until) return keys.map(() => null);
    try {
      return await cache.memories.read(keys);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      paused_until = clock.ticks() + PAUSE_MS;
      return keys.map(() => null);
    }
  }

  /** Never rejects: a change that the cache did not take is marked, and made good from the database. */
  async function changeCache(owner: TraceOwner, change: (memory: Memory | null) => Memory | null): Promise<void> {
    const key = cacheKey(owner);
    if (clock.ticks() < paused_until) return void stale.set(key, true);
    try {
      await cache.memories.update(key, change, TTL_MS[owner.kind]);
    } catch (error) {
      stale.set(key, true);
      if (!(error instanceof StoreUnavailable)) throw error;
      paused_until = clock.ticks() + PAUSE_MS;
    }
  }

  async function makeAgain(owners: readonly TraceOwner[]): Promise<Memory[]> {
    const found = await storage.scores.traces(owners, TRACES);
    const memories = found.map(memoryOf);
    const put = async (owner: TraceOwner, made: Memory): Promise<void> => {
      const is_stale = stale.delete(cacheKey(owner));
      // What another node put there meanwhile may know more.
      const isNewer = (kept: Memory | null): boolean => kept !== null && !is_stale && kept.latest >= made.latest;
      await changeCache(owner, (kept) => (isNewer(kept) ? null : made));
    };
    await Promise.all(owners.map((owner, i) => put(owner, memories[i]!)));
    return memories;
  }

  const load = together(async (owners: TraceOwner[]): Promise<Memory[]> => {
    const unique = [...new Map(owners.map((owner) => [cacheKey(owner), owner])).values()];
    const keys = unique.map(cacheKey);
    const under_way = keys.flatMap((key) => changes.get(key)?.done ?? []);
    if (under_way.length > 0) await Promise.all(under_way);
    const cached = await readCache(keys);
    const known = new Map<string, Memory>();
    for (const [i, key] of keys.entries()) if (cached[i] !== null && !stale.has(key)) known.set(key, cached[i]!);
    const missing = unique.filter((owner) => !known.has(cacheKey(owner)));
    if (missing.length > 0) {
      const made = await makeAgain(missing);
      for (const [i, owner] of missing.entries()) known.set(cacheKey(owner), made[i]!);
    }
    return owners.map((owner) => known.get(cacheKey(owner))!);
  });

  /** Adds what has been learnt by now, and what is learnt meanwhile, one change after the other. */
  async function addAll(owner: TraceOwner, traces: StoredTrace[]): Promise<void> {
    while (traces.length > 0) {
      const batch = traces.splice(0);
      let is_missing = false;
      await changeCache(owner, (memory) => {
        is_missing = memory === null;
        return memory === null ? null : batch.reduce(remember, memory);
      });
      if (!is_missing) continue;
      // The cache lost it since the event was scored: the database has these events by now, and those that waited.
      traces.length = 0;
      await makeAgain([owner]).catch(() => stale.set(cacheKey(owner), true));
    }
    changes.delete(cacheKey(owner));
  }

  /** Null when it has to be asked for: the cache is elsewhere, has nothing, or misses what was learnt last. */
  function atHand(owner: TraceOwner): Memory | null {
    if (here === undefined) return null;
    const key = cacheKey(owner);
    const is_behind = (changes.size > 0 && changes.has(key)) || (stale.size > 0 && stale.has(key));
    return is_behind ? null : here.get(key);
  }

  /** Adds an event at once where the memory is at hand; `false` when that takes more. */
  function addHere({ kind }: TraceOwner, key: string, stored: StoredTrace): boolean {
    const memory = here?.get(key) ?? null;
    if (memory === null) return false;
    here!.set(key, remember(memory, stored), TTL_MS[kind]);
    return true;
  }

  return {
    recall(customer_id, owners) {
      const list = ownerList(customer_id, owners);
      const found = list.map(atHand);
      if (!found.includes(null)) return byKind(list, found as Memory[]);
      return Promise.all(list.map(load)).then((memories) => byKind(list, memories));
    },
    learn(customer_id, owners, stored) {
      offset_ms = Date.parse(stored.scored_at) - clock.now();
      for (const owner of ownerList(customer_id, owners)) {
        const key = cacheKey(owner);
        const change = changes.get(key);
        if (change !== undefined) {
          change.traces.push(stored);
          continue;
        }
        if (addHere(owner, key, stored)) continue;
        const traces = [stored];
        changes.set(key, { traces, done: addAll(owner, traces) });
      }
    },
    now: () => clock.now() + offset_ms,
    async drain() {
      while (changes.size > 0) await Promise.all([...changes.values()].map(({ done }) => done));
    },
  };
}
