/**
 * Which customer a key belongs to, asked of the store at most once per second and key. A revocation therefore takes
 * effect within one second on every node, and immediately in the process that made it.
 */
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { StoredApiKey } from '../../storage/ports/storage.ts';

/**
 * Age in milliseconds up to which an answer of the store is reused: below the one second that is promised for
 * revocation.
 */
const FRESH_MS = 900;
/** Entries of each kind, known and unknown keys. Bounded, so that made-up keys cannot fill the memory. */
const MAX_KEYS = 10_000;

interface Entry {
  digest: Buffer;
  key: StoredApiKey | null;
  asked_at: number;
}

export interface KeyCache {
  /**
   * The key with this SHA-256 digest as far as the cache knows, `null` when there is no such key; `undefined`: ask the
   * store.
   */
  fresh(digest: Buffer): StoredApiKey | null | undefined;
  /** The same, from the store. */
  ask(digest: Buffer): Promise<StoredApiKey | null>;
  /** Whether this digest belonged to a key when last asked, however long ago. */
  wasKnown(digest: Buffer): boolean;
  /** Invalidates all entries: a key was revoked or made in this process. */
  clear(): void;
}

export type FindByHash = (key_hash: string) => Promise<StoredApiKey | null>;

export function createKeyCache(findByHash: FindByHash, clock: Clock): KeyCache {
  const known = new LRUCache<string, Entry>({ max: MAX_KEYS });
  const unknown = new LRUCache<string, Entry>({ max: MAX_KEYS });
  const asking = new Map<string, Promise<StoredApiKey | null>>();
  let generation = 0;

  const askStore = async (slot: string, digest: Buffer): Promise<StoredApiKey | null> => {
    const asked_at = clock.ticks();
    const asked_in = generation;
    const key = await findByHash(digest.toString('hex'));
    // An answer from before a revocation must not outlive it.
    const entry = { digest, key, asked_at: asked_in === generation ? asked_at : Number.NEGATIVE_INFINITY };
    (key === null ? known : unknown).delete(slot);
    (key === null ? unknown : known).set(slot, entry);
    return key;
  };

  const entryOf = (digest: Buffer): Entry | undefined => {
    const slot = slotOf(digest);
    const entry = known.get(slot) ?? unknown.get(slot);
    return entry !== undefined && timingSafeEqual(entry.digest, digest) ? entry : undefined;
  };

  return {
    fresh: (digest) => {
      const entry = entryOf(digest);
      return entry !== undefined && clock.ticks() - entry.asked_at < FRESH_MS ? entry.key : undefined;
    },
    ask: (digest) => {
      const slot = slotOf(digest);
      const whole = digest.toString('hex');
      const pending = asking.get(whole);
      if (pending !== undefined) return pending;
      const answer = askStore(slot, digest).finally(() => asking.delete(whole));
      asking.set(whole, answer);
      return answer;
    },
    wasKnown: (digest) => entryOf(digest)?.key != null,
    clear: () => {
      generation += 1;
      asking.clear();
      unknown.clear();
      for (const entry of known.values()) entry.asked_at = Number.NEGATIVE_INFINITY;
    },
  };
}

/** First 64 bits: enough to find the entry; the rest is compared in constant time. */
function slotOf(digest: Buffer): string {
  return digest.toString('latin1', 0, 8);
}
