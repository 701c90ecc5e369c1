/**
 * What this process knows of revocations: a filter that follows the log in the database. It is trusted for less than a
 * second; then the end of the log is read again, and with it the database's time. While the database is out of reach,
 * no token is valid (503). The cache only spares reading the whole log at a start: losing it, getting an old one
 * back, or having a forged one in it takes time and changes no answer.
 */
import type { Clock } from '../../platform/clock.ts';
import type { LogEnd, RevocationStore } from '../../storage/ports/auth.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import { Bloom, type Probe, probeOf } from './bloom.ts';
import { type Marker, readSnapshot, writeSnapshot } from './snapshot.ts';

export interface RevocationView {
  /** Changes with every revocation; -1 when the view is too old to be trusted: call `refresh` first. */
  version(): number;
  /** The database's time in milliseconds since 1970. Valid after a `refresh`. */
  now(): number;
  /** False is certain; true means that `isRevoked` must be called. */
  mayBeRevoked(probes: readonly Probe[]): boolean;
  /** Makes the view fresh. Rejects with `StoreUnavailable` when the database cannot be asked. */
  refresh(): Promise<void>;
  /** The exact answer, from the database. */
  isRevoked(path: string[], key_id: string | null): Promise<boolean>;
  /** A token was revoked in this process: distrust every earlier answer. */
  expire(): void;
  /**
   * Has every node read the whole log again, this one at once and the others before they answer the next time, within a
   * second; puts the filter into the cache, from where nodes start; returns the number of its entries.
   */
  rebuild(): Promise<number>;
  /** Called with the customer whose signing keys changed. */
  onKeyChange(listener: (customer_id: string) => void): void;
}

export interface RevocationViewParts {
  store: Pick<RevocationStore, 'logEnd' | 'logAfter' | 'isRevoked' | 'countRebuild'>;
  cache: Cache;
  /** The key that authenticates what this view keeps in the cache; the same on every node, and unknown to the cache. */
  cache_key: () => Promise<Buffer>;
  clock: Clock;
}

/** Age in milliseconds up to which the view is trusted: below the second that is promised for revocation. */
const FRESH_MS = 900;
/** Rows of the log in one read. */
const PAGE = 10_000;
/** A longer log is read in the background; meanwhile each token is looked up individually. */
const MAX_WAIT_ROWS = 20_000;
/** The filter in the cache may lag behind the log by this many rows; a reader adds the rest. */
const MAX_LAG = 1_000;
const CACHE_KEY = 'revocations:filter';
const CACHE_TTL_MS = 7 * 86_400_000;

interface Followed extends Marker {
  filter: Bloom;
}

export function createRevocationView({ store, cache, cache_key, clock }: RevocationViewParts): RevocationView {
  let followed: Followed | null = null;
  /** Counts the changes of `followed`: log ids may repeat after a dump was restored. */
  let version = 0;
  let asked_at = Number.NEGATIVE_INFINITY;
  /** Answers to earlier queries are not trusted. */
  let believe_from = Number.NEGATIVE_INFINITY;
  /** Database time minus this process's monotonic time. */
  let offset = 0;
  let asking: { started_at: number; done: Promise<void> } | null = null;
  let loading: Promise<void> | null = null;
  let published = Number.NEGATIVE_INFINITY;
  const listeners: ((customer_id: string) => void)[] = [];

  const become = (next: Followed | null): void => {
    followed = next;
    version += 1;
  };

  const readLog = async (from: Followed, until: number): Promise<Followed> => {
    let { last_log_id, stamp, entries } = from;
    const { rebuilds } = from;
    while (last_log_id < until) {
      const rows = await store.logAfter(last_log_id, until, PAGE);
      if (rows.length === 0) break;
      for (const row of rows) {
        if (row.mode === 'key') {
          for (const listener of listeners) listener(row.customer_id);
        } else {
          from.filter.add(probeOf(row.subject, row.mode));
          entries += 1;
        }
      }
      ({ log_id: last_log_id, stamp } = rows.at(-1)!);
    }
    return { last_log_id, stamp, entries, rebuilds, filter: from.filter };
  };

  const publish = async ({ filter, ...marker }: Followed): Promise<void> => {
    await cache.set(CACHE_KEY, writeSnapshot(marker, filter, await cache_key()), CACHE_TTL_MS);
    published = marker.last_log_id;
  };

  /** Starts from the cache as far as it goes and has this history, otherwise from the beginning. */
  const load = async (): Promise<void> => {
    const text = await cache.get(CACHE_KEY).catch(() => null);
    // Without the key nothing in the cache can be believed, and the log has everything.
    const key = text === null ? null : await cache_key().catch(() => null);
    const snapshot = text === null || key === null ? null : readSnapshot(text, key);
    const end = await store.logEnd(snapshot?.marker.last_log_id ?? 0);
    const is_ours =
      snapshot !== null && snapshot.marker.stamp === end.stamp && snapshot.marker.rebuilds === end.rebuilds;
    published = is_ours ? snapshot.marker.last_log_id : Number.NEGATIVE_INFINITY;
    const start = is_ours ? { ...snapshot.marker, filter: snapshot.filter } : empty(end);
    become(await readLog(start, end.last_log_id));
  };

  const follow = async (end: LogEnd): Promise<void> => {
    if (loading !== null) return;
    const is_same_history = followed !== null && followed.stamp === end.stamp && followed.rebuilds === end.rebuilds;
    const missing = end.last_log_id - (is_same_history ? followed!.last_log_id : 0);
    if (is_same_history && missing <= MAX_WAIT_ROWS) {
      if (missing > 0) become(await readLog(followed!, end.last_log_id));
    } else {
      become(null);
      loading = load().finally(() => (loading = null));
      // When it fails, the next refresh starts it again.
      loading.catch(() => {});
      if (missing > MAX_WAIT_ROWS) return;
      await loading;
    }
    if (followed !== null && followed.last_log_id - published > MAX_LAG) await publish(followed).catch(() => {});
  };

  const ask = async (started_at: number): Promise<void> => {
    const end = await store.logEnd(followed?.last_log_id ?? 0);
    offset = Date.parse(end.now) - clock.ticks();
    await follow(end);
    if (started_at >= believe_from) asked_at = started_at;
  };

  const start = (): Promise<void> => {
    const started_at = clock.ticks();
    const mine = { started_at, done: ask(started_at).finally(() => (asking = asking === mine ? null : asking)) };
    asking = mine;
    return mine.done;
  };

  const refresh = (): Promise<void> => {
    if (asking === null) return start();
    if (asking.started_at >= believe_from) return asking.done;
    // One at a time, because they build on each other; a caller that arrives now needs an answer from after the change.
    return asking.done.then(refresh, refresh);
  };

  return {
    version: () => (clock.ticks() - asked_at < FRESH_MS ? version : -1),
    now: () => clock.ticks() + offset,
    mayBeRevoked: (probes) => followed === null || probes.some((probe) => followed!.filter.has(probe)),
    refresh,
    isRevoked: async (path, key_id) => (await store.isRevoked(path, key_id)).is_revoked,
    expire: () => {
      believe_from = clock.ticks();
      asked_at = Number.NEGATIVE_INFINITY;
    },
    rebuild: async () => {
      await store.countRebuild();
      const end = await store.logEnd(0);
      const fresh = await readLog(empty(end), end.last_log_id);
      become(fresh);
      await publish(fresh);
      return fresh.entries;
    },
    onKeyChange: (listener) => void listeners.push(listener),
  };
}

function empty({ entries, rebuilds }: LogEnd): Followed {
  return { last_log_id: 0, stamp: null, entries: 0, rebuilds, filter: new Bloom(entries) };
}
