/**
 * The server's memories of agents, sessions and customers: read when an event is scored, and updated after its score is durable. The cache holds
 * them, and the newest traces in the database make them again, so that no agent looks new after the cache was lost. While the cache
 * is unavailable, they are made from the database each time.
 */
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../events/event.ts';
import { Recall } from '../../lang/remember.ts';
import type { Clock } from '../../platform/clock.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { ownerKey } from '../../records/facets.ts';
import { type Memory, memoryOf, remember, rememberMark } from '../../scoring/history/memory.ts';
import type { Memories as Recalled } from '../../scoring/history/recall.ts';
import { secondOf } from '../../scoring/history/seconds.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import { SHARED_KEY, type Storage, type TraceOwner, type Traces } from '../../storage/ports/storage.ts';
import { together } from './together.ts';

/** An agent or a session, and where the cache has its memory. */
export interface Owner extends TraceOwner {
  cache_key: string;
}

/** The agent and the session of one event, never both null, and its customer. */
export interface Owners {
  agent: Owner | null;
  session: Owner | null;
  /** The customer: what its agents and sessions left for each other. */
  shared: Owner;
}

export interface Memories {
  /** The memories of these owners, without a promise where both are in this process; rejects with `StoreUnavailable` when neither cache nor database answers. */
  recall(owners: Owners): Recalled | Promise<Recalled>;
  /** Adds an event whose score is durable; returns at once. Only the call that stored the event may call it, so that a retry adds nothing. */
  learn(owners: Owners, stored: StoredTrace): void;
  /** A person decided about a held event of this customer; null: of any customer. */
  decided(customer_id: string | null): void;
  /** Milliseconds since 1970 by the database's clock, estimated from its last answer. */
  now(): number;
  /** Resolves when all changes are in the cache, or given up. */
  drain(): Promise<void>;
}

/** Newest events that a memory is made from. A few milliseconds, on an index. */
const TRACES = 200;
/** Time to live in the cache; a memory is rebuilt from the database afterwards. It keeps made-up ids from filling the cache for long. */
const TTL_MS: Readonly<Record<TraceOwner['kind'], number>> = {
  agent: 7 * 86_400_000,
  session: 86_400_000,
  shared: 86_400_000,
};
/** Memories marked as stale: the cache holds them without their newest event. */
const MAX_STALE = 100_000;
/** With `max`, each cache would take its room when it is made: 15 ms of every start. */
const AT_MOST = { maxSize: MAX_STALE, sizeCalculation: () => 1 };
/** After a failure the cache is not asked for so long: waiting for its time-out at each event would delay all of them. */
const PAUSE_MS = 1_000;
/** Version of the format of memories, part of their keys, because two releases may share a cache. */
const FORM = 5;

/** The longest insert, in seconds: an event that was scored longer ago than this is found in the database. */
const INSERT_S = 3;

export function cacheKeyOf({ customer_id, kind, key }: TraceOwner): string {
  return `memory${FORM}:${customer_id}:${kind}:${key}`;
}

/** Memoized, because each event of an agent or session needs its owner again. */
const known_owners = new Recall<Owner>();

function ownerOf(customer_id: string, kind: 'agent' | 'session', id: string | undefined): Owner | null {
  if (id === undefined || id === '') return null;
  return known_owners.get(`${kind} ${customer_id} ${id}`, () => {
    const key = ownerKey(kind, id);
    return { customer_id, kind, key, cache_key: cacheKeyOf({ customer_id, kind, key }) };
  });
}

function sharedOf(customer_id: string): Owner {
  return known_owners.get(`shared ${customer_id}`, () => {
    const owner = { customer_id, kind: 'shared', key: SHARED_KEY } as const;
    return { ...owner, cache_key: cacheKeyOf(owner) };
  });
}

/** How an event is added to a memory of this kind. */
const adding = ({ kind }: TraceOwner): typeof remember => (kind === 'shared' ? rememberMark : remember);

/** Null for an event that names neither agent nor session: it leaves no memory. */
export function ownersOf(customer_id: string, event: Pick<AgentEvent, 'agent' | 'session'>): Owners | null {
  const agent = ownerOf(customer_id, 'agent', event.agent?.agent_id);
  const session = ownerOf(customer_id, 'session', event.session?.session_id);
  return agent === null && session === null ? null : { agent, session, shared: sharedOf(customer_id) };
}

/** Makes a memory from stored traces. If there are more than `TRACES`, traces in the same second as the oldest one may be missing. */
function madeOf({ traces, asked_at }: Traces, owner: TraceOwner): Memory {
  const first = traces.length < TRACES ? undefined : traces[0];
  const cut_at = first === undefined ? 0 : secondOf(Date.parse(first.scored_at)) + 1;
  const memory = memoryOf(traces, adding(owner));
  const sure_to = asked_at - INSERT_S;
  memory.counted_from = Math.max(sure_to, cut_at);
  // Those among its last actions too: later events displace them there before their own node has told of them.
  memory.told = traces.filter((one) => secondOf(Date.parse(one.scored_at)) >= sure_to).map((one) => one.event_id);
  return memory;
}

export interface MemoriesParts {
  storage: Pick<Storage, 'scores'>;
  cache: Pick<Cache, 'memories'>;
  clock: Clock;
}

export function createMemories({ storage, cache, clock }: MemoriesParts): Memories {
  /** Changes under way, by cache key: the next event of the same agent waits for them, so that it sees them. */
  const changes = new Map<string, { done: Promise<void>; traces: StoredTrace[] }>();
  const stale = new LRUCache<string, true>(AT_MOST);
  /** Customers whose memory was used here. */
  const shared_keys = new LRUCache<string, true>(AT_MOST);
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

  /** Never rejects: if the cache did not take a change, the memory is marked as stale, and rebuilt from the database. */
  async function changeCache(owner: Owner, change: (memory: Memory | null) => Memory | null): Promise<void> {
    const key = owner.cache_key;
    if (clock.ticks() < paused_until) return void stale.set(key, true);
    try {
      await cache.memories.update(key, change, TTL_MS[owner.kind]);
    } catch (error) {
      stale.set(key, true);
      if (!(error instanceof StoreUnavailable)) throw error;
      paused_until = clock.ticks() + PAUSE_MS;
    }
  }

  async function makeAgain(owners: readonly Owner[]): Promise<Memory[]> {
    const found = await storage.scores.traces(owners, TRACES);
    const memories = found.map((one, i) => madeOf(one, owners[i]!));
    const put = async (owner: Owner, made: Memory): Promise<void> => {
      const is_stale = stale.delete(owner.cache_key);
      // Another node may have put a newer memory there meanwhile.
      const isNewer = (kept: Memory | null): boolean => kept !== null && !is_stale && kept.latest >= made.latest;
      await changeCache(owner, (kept) => (isNewer(kept) ? null : made));
    };
    await Promise.all(owners.map((owner, i) => put(owner, memories[i]!)));
    return memories;
  }

  const load = together(async (owners: Owner[]): Promise<Memory[]> => {
    const unique = [...new Map(owners.map((owner) => [owner.cache_key, owner])).values()];
    const keys = unique.map(({ cache_key }) => cache_key);
    const under_way = keys.flatMap((key) => changes.get(key)?.done ?? []);
    if (under_way.length > 0) await Promise.all(under_way);
    const cached = await readCache(keys);
    const known = new Map<string, Memory>();
    for (const [i, key] of keys.entries()) if (cached[i] !== null && !stale.has(key)) known.set(key, cached[i]!);
    const missing = unique.filter(({ cache_key }) => !known.has(cache_key));
    if (missing.length > 0) {
      const made = await makeAgain(missing);
      for (const [i, owner] of missing.entries()) known.set(owner.cache_key, made[i]!);
    }
    return owners.map(({ cache_key }) => known.get(cache_key)!);
  });

  /** Adds the traces that are waiting, and those that arrive meanwhile, one change after the other. */
  async function addAll(owner: Owner, traces: StoredTrace[]): Promise<void> {
    while (traces.length > 0) {
      const batch = traces.splice(0);
      let is_missing = false;
      await changeCache(owner, (memory) => {
        is_missing = memory === null;
        return memory === null ? null : batch.reduce(adding(owner), memory);
      });
      if (!is_missing) continue;
      // The cache lost the memory since the event was scored. The database has these events, so it is made from there.
      traces.length = 0;
      await makeAgain([owner]).catch(() => stale.set(owner.cache_key, true));
    }
    changes.delete(owner.cache_key);
  }

  /** Null when the cache has to be asked: it is in another process, lacks the memory, or lacks its newest event. */
  function atHand({ cache_key }: Owner): Memory | null {
    if (here === undefined) return null;
    const is_behind = (changes.size > 0 && changes.has(cache_key)) || (stale.size > 0 && stale.has(cache_key));
    return is_behind ? null : here.get(cache_key);
  }

  const find = (owner: Owner | null): Memory | null | Promise<Memory> =>
    owner === null ? null : (atHand(owner) ?? load(owner));

  function add(owner: Owner, stored: StoredTrace): void {
    const { kind, cache_key } = owner;
    const change = changes.get(cache_key);
    const memory = here?.get(cache_key) ?? null;
    if (change !== undefined) change.traces.push(stored);
    else if (memory !== null) here!.set(cache_key, adding(owner)(memory, stored), TTL_MS[kind]);
    else {
      const traces = [stored];
      changes.set(cache_key, { traces, done: addAll(owner, traces) });
    }
  }

  return {
    recall(owners) {
      shared_keys.set(owners.shared.cache_key, true);
      const found = { agent: find(owners.agent), session: find(owners.session), shared: find(owners.shared) };
      const { agent, session, shared } = found;
      if (!(agent instanceof Promise) && !(session instanceof Promise) && !(shared instanceof Promise))
        return found as Recalled;
      return Promise.all([agent, session, shared]).then(([of_agent, of_session, of_customer]) => ({
        agent: of_agent,
        session: of_session,
        shared: of_customer,
      }));
    },
    learn({ agent, session, shared }, stored) {
      offset_ms = Date.parse(stored.scored_at) - clock.now();
      if (agent !== null) add(agent, stored);
      if (session !== null) add(session, stored);
      if (stored.trace.mark !== undefined) add(shared, stored);
    },
    decided(customer_id) {
      // What a person decided is in the database alone, so the memory is made from there.
      if (customer_id !== null) stale.set(sharedOf(customer_id).cache_key, true);
      else for (const key of shared_keys.keys()) stale.set(key, true);
    },
    now: () => clock.now() + offset_ms,
    async drain() {
      while (changes.size > 0) await Promise.all([...changes.values()].map(({ done }) => done));
    },
  };
}
