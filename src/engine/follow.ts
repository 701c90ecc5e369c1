/**
 * Follows a customer's scores and decisions as they are stored, by whichever node. The database is read every half second:
 * its rows are the only list that all nodes share, and a follower that comes back continues from a time.
 */
import type { StoredScore } from '../records/record.ts';
import type { HoldStore } from '../storage/ports/holds.ts';
import { CHANGES_SETTLE_S, type Change, type ScoreStore } from '../storage/ports/storage.ts';

/** Something that happened, with its record as it is now. */
export interface Happened extends Change {
  record: StoredScore;
}

export interface Followed {
  /** In the order in which they became visible; empty at the beginning and after `IDLE_MS` without any. */
  happened: Happened[];
}

/**
 * Yields what happens after `since`, `null`: after now. The first yield is empty and says that the time from which it follows stands:
 * nothing that happens from that point on is missed. At least once: what happened up to `CHANGES_SETTLE_S` before `since` may come again. Ends when `signal` is aborted; throws `StoreUnavailable` while the store is.
 */
export type Follow = (customer_id: string, since: string | null, signal: AbortSignal) => AsyncGenerator<Followed, void>;

export interface FollowParts {
  scores: Pick<ScoreStore, 'changes' | 'findMany'>;
  holds: Pick<HoldStore, 'onDecision'>;
}

const POLL_MS = 500;
/** How long nothing may happen until the follower is told so. */
const IDLE_MS = 15_000;
/** Changes of one read: more than a node stores in the time that is read again. */
const AT_ONCE = 20_000;
/** Records that are in memory at a time. */
const RECORDS_AT_ONCE = 100;

export function createFollow({ scores, holds }: FollowParts): Follow {
  return async function* follow(customer_id, since, signal) {
    let ring = (): void => {};
    const forget = holds.onDecision((decided) => {
      if (decided === null || decided.customer_id === customer_id) ring();
    });
    const wake = (): void => ring();
    signal.addEventListener('abort', wake);
    try {
      /** Everything up to this time was yielded. */
      let settled = since === null ? (await scores.changes(customer_id, EVER, 1)).now : minus(since, CHANGES_SETTLE_S);
      /** What was yielded since, with its time. */
      const sent = new Map<string, string>();
      let quiet_since = performance.now();
      yield { happened: [] };
      while (!signal.aborted) {
        const rung = new Promise<void>((resolve) => (ring = resolve));
        const { changes, now } = await scores.changes(customer_id, settled, AT_ONCE);
        const fresh = changes.filter((change) => !sent.has(nameOf(change)));
        for (let at = 0; at < fresh.length && !signal.aborted; at += RECORDS_AT_ONCE) {
          const part = fresh.slice(at, at + RECORDS_AT_ONCE);
          const records = await scores.findMany(customer_id, [...new Set(part.map(({ event_id }) => event_id))]);
          const by_id = new Map(records.map((record) => [record.event_id, record]));
          // An event that was dropped meanwhile is no longer there.
          const happened = part.flatMap((change) => {
            const record = by_id.get(change.event_id);
            return record === undefined ? [] : [{ ...change, record }];
          });
          quiet_since = performance.now();
          yield { happened };
        }
        for (const change of fresh) sent.set(nameOf(change), change.at);
        settled = settledAfter(changes, settled, now);
        for (const [name, at] of sent) if (at <= settled) sent.delete(name);
        if (changes.length === AT_ONCE) continue;
        if (performance.now() - quiet_since >= IDLE_MS) {
          quiet_since = performance.now();
          yield { happened: [] };
        }
        const timer = setTimeout(wake, POLL_MS);
        await rung;
        clearTimeout(timer);
      }
    } finally {
      forget();
      signal.removeEventListener('abort', wake);
    }
  };
}

/** After every change: only the time of the read is of interest. */
const EVER = '9999-01-01T00:00:00Z';

const nameOf = ({ kind, event_id }: Change): string => `${kind} ${event_id}`;

/** Later changes may still become visible up to `CHANGES_SETTLE_S` after their time; a read that was cut ends earlier. */
function settledAfter(changes: readonly Change[], settled: string, now: string): string {
  const edge = minus(now, CHANGES_SETTLE_S);
  const last = changes.at(-1)?.at;
  const read_to = changes.length < AT_ONCE ? edge : (changes.findLast(({ at }) => at < last!)?.at ?? settled);
  const next = read_to < edge ? read_to : edge;
  return next > settled ? next : settled;
}

/** Times of the same form as the database's, which compare as texts. */
function minus(time: string, seconds: number): string {
  return new Date(Date.parse(time) - seconds * 1_000).toISOString().replace('Z', '000Z');
}
