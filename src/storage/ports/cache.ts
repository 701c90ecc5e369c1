/**
 * State that may be lost at any time: a cache, and the memories in it. As in storage.ts, methods may reject with
 * `StoreUnavailable`.
 */
import type { Memory } from '../../scoring/history/memory.ts';
import type { BackendHealth } from './health.ts';

/** Shared short-lived state. Never the only copy of a fact: losing it may slow an answer, not change it. */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** `ttl_ms` is required: every entry expires. */
  set(key: string, value: string, ttl_ms: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Adds to a counter and returns its new value; a new counter lives for `ttl_ms`. */
  increment(key: string, by: number, ttl_ms: number): Promise<number>;
  memories: MemoryCache;
  /** Pings the backend, bounded to one second; never rejects. */
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}

/** The memories of agents and sessions. A lost one is rebuilt from stored traces. */
export interface MemoryCache {
  /**
   * In one round trip; null where nothing is stored. The cached object itself may be returned: read it, do not change
   * it.
   */
  read(keys: readonly string[]): Promise<(Memory | null)[]>;
  /**
   * Replaces a memory by what `change` returns, whatever other nodes do at the same time; null leaves it unchanged.
   * `change` may modify its argument, and is called again when another node was faster. Expires `ttl_ms` from now.
   */
  update(key: string, change: (memory: Memory | null) => Memory | null, ttl_ms: number): Promise<void>;
  /** The memories themselves, where they are in this process and can be read synchronously. */
  here?: MemoriesHere;
  /** Compares them with stored events, where several processes share them. */
  shared?: MemoriesShared;
}

export interface MemoriesHere {
  get(key: string): Memory | null;
  set(key: string, memory: Memory, ttl_ms: number): void;
}

/**
 * One process at a time compares memories with stored events. Its progress is kept beside the memories, so that a cache
 * that is restored to an older copy is compared again from there. `origin`: of the storage.
 */
export interface MemoriesShared {
  /**
   * Takes the turn to compare, for `lease_ms`. Returns the second up to which all is compared (`compared_to` is null at
   * the beginning), or null when another process has the turn.
   */
  takeTurn(origin: string, lease_ms: number): Promise<{ compared_to: number | null } | null>;
  /**
   * Removes each memory that has not counted all of these actions; returns how many. All actions of one second come in
   * one call.
   */
  removeShort(counts: readonly SecondCount[]): Promise<number>;
  /** Records that everything before `to` is compared, unless another process has already moved on from `from`. */
  moveOn(origin: string, from: number | null, to: number): Promise<void>;
}

/** This many actions in that second (since 1970) belong in the memory under the key. */
export interface SecondCount {
  key: string;
  second: number;
  n: number;
}
