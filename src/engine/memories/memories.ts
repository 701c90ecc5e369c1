/**
 * What the server remembers of agents and sessions, at hand when an event is scored and brought up to date after its
 * score is durable. The cache holds it; the database can always make it again, so that losing the cache makes no agent
 * look new. Where the cache is away the database is asked each time.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../events/event.ts';
import { Recall } from '../../lang/remember.ts';
import type { Clock } from '../../platform/clock.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { MAX_LAST, type Memory, memoryOf, remember } from '../../scoring/history/memory.ts';
import type { Memories as Recalled } from '../../scoring/history/recall.ts';
import { secondOf } from '../../scoring/history/seconds.ts';
import type { StoredTrace } from '../../scoring/history/trace.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Storage, TraceOwner, Traces } from '../../storage/ports/storage.ts';
import { together } from './together.ts';

/** An agent or a session, and where the cache has its memory. */
export interface Owner extends TraceOwner {
  cache_key: string;
}

/** Whose memories one event concerns; never both null. */
export interface Owners {
  agent: Owner | null;
  session: Owner | null;
}

export interface Memories {
  /** What is remembered of these, at once where it is at hand; rejects with `StoreUnavailable` when neither cache nor database can tell. */
  recall(owners: Owners): Recalled | Promise<Recalled>;
  /** Adds an event whose score is durable; returns at once. Only ever call it for the call that stored the event. */
  learn(owners: Owners, stored: StoredTrace): void;
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
const FORM = 2;
const KEY_DIGITS = 32;

/** An insert takes no longer: what was scored so many seconds before the database was asked was there to be found. */
const INSERT_S = 3;

export function cacheKeyOf({ customer_id, kind, key }: TraceOwner): string {
  return `memory${FORM}:${customer_id}:${kind}:${key}`;
}

/** The same agents and sessions come back with each of their events. */
const known_owners = new Recall<Owner>();

function ownerOf(customer_id: string, kind: TraceOwner['kind'], id: string | undefined): Owner | null {
  if (id === undefined || id === '') return null;
  return known_owners.get(`${kind} ${customer_id} ${id}`, () => {
    // A hash, because an id may hold any text; the kind is part of it, so that an agent is never taken for a session.
    const key = hash('sha256', `${kind} ${id}`, 'hex').slice(0, KEY_DIGITS);
    return { customer_id, kind, key, cache_key: cacheKeyOf({ customer_id, kind, key }) };
  });
}

/** Null for an event that names neither agent nor session: nothing can be remembered of it. */
export function ownersOf(customer_id: string, event: Pick<AgentEvent, 'agent' | 'session'>): Owners | null {
  const agent = ownerOf(customer_id, 'agent', event.agent?.agent_id);
  const session = ownerOf(customer_id, 'session', event.session?.session_id);
  return agent === null && session === null ? null : { agent, session };
}

/** The memory that stored traces make. Where there are too many, those of the second that the first is in are not all there. */
function madeOf({ traces, asked_at }: Traces): Memory {
  const first = traces.length < TRACES ? undefined : traces[0];
  const cut_at = first === undefined ? 0 : secondOf(Date.parse(first.scored_at)) + 1;
  const memory = memoryOf(traces);
  const sure_to = asked_at - INSERT_S;
  memory.counted_from = Math.max(sure_to, cut_at);
  const beyond = traces.slice(0, -MAX_LAST);
  memory.told = beyond.filter((one) => secondOf(Date.parse(one.scored_at)) >= sure_to).map((one) => one.event_id);
  return memory;
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
    const memories = found.map(madeOf);
    const put = async (owner: Owner, made: Memory): Promise<void> => {
      const is_stale = stale.delete(owner.cache_key);
      // What another node put there meanwhile may know more.
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

  /** Adds what has been learnt by now, and what is learnt meanwhile, one change after the other. */
  async function addAll(owner: Owner, traces: StoredTrace[]): Promise<void> {
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
      await makeAgain([owner]).catch(() => stale.set(owner.cache_key, true));
    }
    changes.delete(owner.cache_key);
  }

  /** Null when it has to be asked for: the cache is elsewhere, has nothing, or misses what was learnt last. */
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
    else if (memory !== null) here!.set(cache_key, remember(memory, stored), TTL_MS[kind]);
    else {
      const traces = [stored];
      changes.set(cache_key, { traces, done: addAll(owner, traces) });
    }
  }

  return {
    recall({ agent, session }) {
      const found = { agent: find(agent), session: find(session) };
      if (!(found.agent instanceof Promise) && !(found.session instanceof Promise)) return found as Recalled;
      return Promise.all([found.agent, found.session]).then(([of_agent, of_session]) => ({
        agent: of_agent,
        session: of_session,
      }));
    },
    learn({ agent, session }, stored) {
      offset_ms = Date.parse(stored.scored_at) - clock.now();
      if (agent !== null) add(agent, stored);
      if (session !== null) add(session, stored);
    },
    now: () => clock.now() + offset_ms,
    async drain() {
      while (changes.size > 0) await Promise.all([...changes.values()].map(({ done }) => done));
    },
  };
}
