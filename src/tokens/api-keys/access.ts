/**
 * Authentication by `X-API-Key`. Every invalid key gets the same answer, byte for byte, so that the answer does not
 * reveal which keys exist.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Admit, Caller } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { tooFast, WeirError } from '../../platform/errors.ts';
import { createRates, type Rates } from '../../platform/http/rates.ts';
import { isApiKeyShaped } from '../../platform/ids.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { ApiKeyStore, StoredApiKey } from '../../storage/ports/storage.ts';
import { createSharedRates } from './shared-rates.ts';

export interface KeyAccess {
  admit: Admit;
  /** A key was revoked or made in this process: drop what is cached. */
  keysChanged(): void;
}

type KeyStore = Pick<ApiKeyStore, 'findByHash' | 'findByHashes'>;

export interface KeyAccessOptions {
  /** Knows keys by their SHA-256, in hex. */
  store: KeyStore;
  /** `TOKEN_PREFIX`. */
  prefix: string;
  /** Requests per minute for each key; 0 means no limit. */
  rate_limit_rpm: number;
  /** The same for each customer, over all its keys. */
  customer_rate_limit_rpm: number;
  clock: Clock;
  /** Through which all nodes share the limits; absent: each node has its own. */
  shared?: Pick<Cache, 'increment'>;
}

/**
 * Unknown keys that one address may send: a burst, then a steady rate. Generous, because one address can be a whole company.
 * Beyond it, keys of this address are looked up together, so that guessing does not load the database and a valid key is
 * never refused; only the answer to a wrong one changes.
 */
const UNKNOWN_BURST = 1_000;
const UNKNOWN_PER_SECOND = 50;

export function createKeyAccess(options: KeyAccessOptions): KeyAccess {
  const { store, prefix, rate_limit_rpm, customer_rate_limit_rpm, clock, shared } = options;
  const cache = createKeyCache(store, clock);
  const guesses = createRates(UNKNOWN_BURST, UNKNOWN_PER_SECOND, clock);
  const perMinute = (rpm: number, what: string): Rates | null => {
    if (rpm === 0) return null;
    if (shared === undefined) return createRates(rpm, rpm / 60, clock);
    return createSharedRates(`rates:${what}`, rpm, rpm / 60, clock, shared);
  };
  const of_keys = perMinute(rate_limit_rpm, 'key');
  const of_customers = perMinute(customer_rate_limit_rpm, 'customer');

  const decide = (key: StoredApiKey | null, address: string): Caller => {
    if (key === null || key.revoked_at !== null) {
      throw guesses.take(address) > 0 ? tooFast('too many unknown API keys from this address', 1) : notAuthenticated();
    }
    return admitted(key);
  };

  const admitted = ({ key_id, customer_id, scopes }: StoredApiKey): Caller => {
    const wait_s = of_keys?.take(key_id) ?? 0;
    if (wait_s > 0) throw tooFast(`this API key may make ${rate_limit_rpm} requests per minute`, wait_s);
    const customer_wait_s = of_customers?.take(customer_id) ?? 0;
    if (customer_wait_s > 0)
      throw tooFast(`this customer may make ${customer_rate_limit_rpm} requests per minute`, customer_wait_s);
    return { customer_id, key_id, scopes };
  };

  return {
    admit: (request) => {
      const text = request.headers['x-api-key'];
      // Node joins repeated headers with a comma, which no key contains, so two keys are rejected.
      if (typeof text !== 'string' || hasKeyInQuery(request.url)) throw notAuthenticated();
      const digest = hash('sha256', text, 'buffer');
      const fresh = cache.fresh(digest);
      // Nearly every request carries a key that was verified a moment ago; the checks below are for the others.
      if (fresh?.revoked_at === null) return admitted(fresh);
      if (!isApiKeyShaped(text, prefix)) throw notAuthenticated();
      const address = request.socket.remoteAddress ?? '';
      if (fresh !== undefined) return decide(fresh, address);
      const is_patient = guesses.has(address) || cache.wasKnown(digest);
      const answer = is_patient ? cache.ask(digest) : cache.askTogether(digest);
      return answer.then((key) => decide(key, address));
    },
    keysChanged: cache.clear,
  };
}

/** A key in a URL ends up in logs and histories, so it is refused even beside a valid header. */
const KEY_IN_QUERY = /[?&](?:x[-_])?api[-_]?key=/i;

function hasKeyInQuery(url = ''): boolean {
  return url.includes('?') && KEY_IN_QUERY.test(url);
}

function notAuthenticated(): WeirError {
  return new WeirError('unauthenticated', {
    detail: 'no valid API key; send exactly one in the `X-API-Key` header and none in the URL',
  });
}

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

/**
 * Which customer a key belongs to, asked of the store at most once per second and key. A revocation therefore takes
 * effect within one second on every node, and immediately in the process that made it.
 */
interface KeyCache {
  /**
   * The key with this SHA-256 digest as far as the cache knows, `null` when there is no such key; `undefined`: ask the
   * store.
   */
  fresh(digest: Buffer): StoredApiKey | null | undefined;
  /** The same, from the store. */
  ask(digest: Buffer): Promise<StoredApiKey | null>;
  /** The same, in one query with others that wait: one such query runs at a time. Rejects when very many wait. */
  askTogether(digest: Buffer): Promise<StoredApiKey | null>;
  /** Whether this digest belonged to a key when last asked, however long ago. */
  wasKnown(digest: Buffer): boolean;
  /** Invalidates all entries: a key was revoked or made in this process. */
  clear(): void;
}

function createKeyCache(store: KeyStore, clock: Clock): KeyCache {
  const known = new LRUCache<string, Entry>({ max: MAX_KEYS });
  const unknown = new LRUCache<string, Entry>({ max: MAX_KEYS });
  const asking = new Map<string, Promise<StoredApiKey | null>>();
  let generation = 0;

  const askStore = async (
    slot: string,
    digest: Buffer,
    find: (key_hash: string) => Promise<StoredApiKey | null>,
  ): Promise<StoredApiKey | null> => {
    const asked_at = clock.ticks();
    const asked_in = generation;
    const key = await find(digest.toString('hex'));
    // An answer from before a revocation must not outlive it.
    const entry = { digest, key, asked_at: asked_in === generation ? asked_at : Number.NEGATIVE_INFINITY };
    (key === null ? known : unknown).delete(slot);
    (key === null ? unknown : known).set(slot, entry);
    return key;
  };

  const findTogether = inOneQuery(store);

  const entryOf = (digest: Buffer): Entry | undefined => {
    const slot = slotOf(digest);
    const entry = known.get(slot) ?? unknown.get(slot);
    return entry !== undefined && timingSafeEqual(entry.digest, digest) ? entry : undefined;
  };

  const ask = (digest: Buffer, find: KeyStore['findByHash']): Promise<StoredApiKey | null> => {
    const whole = digest.toString('hex');
    const pending = asking.get(whole);
    if (pending !== undefined) return pending;
    const answer = askStore(slotOf(digest), digest, find).finally(() => asking.delete(whole));
    asking.set(whole, answer);
    return answer;
  };

  return {
    fresh: (digest) => {
      const entry = entryOf(digest);
      return entry !== undefined && clock.ticks() - entry.asked_at < FRESH_MS ? entry.key : undefined;
    },
    ask: (digest) => ask(digest, store.findByHash),
    askTogether: (digest) => ask(digest, findTogether),
    wasKnown: (digest) => entryOf(digest)?.key != null,
    clear: () => {
      generation += 1;
      asking.clear();
      unknown.clear();
      for (const entry of known.values()) entry.asked_at = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Keys of one query, and keys that may wait for the next ones: a second of very fast guessing. */
const MAX_TOGETHER = 1_000;
const MAX_WAITING = 20_000;

/** Looks hashes up in batches, one query at a time: the more there are, the larger the batches. */
function inOneQuery(store: KeyStore): KeyStore['findByHash'] {
  const waiting: { key_hash: string; settle: PromiseWithResolvers<StoredApiKey | null> }[] = [];
  let is_running = false;

  const run = async (): Promise<void> => {
    is_running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_TOGETHER);
      try {
        const found = await store.findByHashes(batch.map(({ key_hash }) => key_hash));
        for (const { key_hash, settle } of batch) settle.resolve(found.get(key_hash) ?? null);
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    is_running = false;
  };

  return (key_hash) => {
    if (waiting.length >= MAX_WAITING) return Promise.reject(tooFast('too many unknown API keys from this address', 1));
    const settle = Promise.withResolvers<StoredApiKey | null>();
    waiting.push({ key_hash, settle });
    if (!is_running) void run();
    return settle.promise;
  };
}

/** First 64 bits: enough to find the entry; the rest is compared in constant time. */
function slotOf(digest: Buffer): string {
  return digest.toString('latin1', 0, 8);
}
