/** State that may be lost at any time: a cache, and the memories in it. As in ports.ts, methods may reject with `StoreUnavailable`. */
import type { Memory } from '../../scoring/history/memory.ts';
import type { BackendHealth } from './health.ts';

/** Shared short-lived state. Never the only home of a truth: losing it may slow an answer, not change it. */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** `ttl_ms` is required: nothing lives here for ever. */
  set(key: string, value: string, ttl_ms: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds to a counter and returns its new value; a new counter lives for `ttl_ms`. */
  increment(key: string, by: number, ttl_ms: number): Promise<number>;
  memories: MemoryCache;
  /** Asks the backend, bounded to one second; never rejects. */
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}

/** The memories of agents and sessions. One that is lost is made again from stored traces. */
export interface MemoryCache {
  /** In one round trip; null where nothing is kept. The kept object itself may come back: read it, do not change it. */
  read(keys: readonly string[]): Promise<(Memory | null)[]>;
  /**
   * Replaces a memory by what `change` makes of it, whatever other nodes do at the same time; null leaves it as it is.
   * `change` may alter what it is given, and is asked again when another node was faster. Lives for `ttl_ms` from now.
   */
  update(key: string, change: (memory: Memory | null) => Memory | null, ttl_ms: number): Promise<void>;
  /** The memories themselves, where they are in this process and nobody has to be waited for. */
  here?: MemoriesHere;
  /** Comparing them with what is stored, where several processes share them. */
  shared?: MemoriesShared;
}

export interface MemoriesHere {
  get(key: string): Memory | null;
  set(key: string, memory: Memory, ttl_ms: number): void;
}

/**
 * One process at a time compares memories with stored events. How far it came is kept beside the memories, so that a cache that
 * is put back to an older copy is compared again from there. `origin`: of the storage.
 */
export interface MemoriesShared {
  /**
   * Takes the turn to compare, for `lease_ms`. Answers up to which second all is compared (`compared_to` is null where nobody
   * began), or null when it is another process's turn.
   */
  takeTurn(origin: string, lease_ms: number): Promise<{ compared_to: number | null } | null>;
  /** Removes each memory that has not counted all of these actions; answers how many. All actions of one second come in one call. */
  removeShort(counts: readonly SecondCount[]): Promise<number>;
  /** Notes that all before `to` is compared, unless somebody has moved on from `from` already. */
  moveOn(origin: string, from: number | null, to: number): Promise<void>;
}

/** So many actions in that second (since 1970) belong in the memory under the key. */
export interface SecondCount {
  key: string;
  second: number;
  n: number;
}
