/**
 * Notices a database that is frozen: it takes connections, or drops what is sent, and never answers. Its callers then
 * fail within a second, where the limits on statements, which leave room for slow work, would take longer. A slow
 * statement is not a sign of it: what decides is whether a new connection hears anything at all.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { patiently } from './patience.ts';

/** Without any answer for this long while calls wait, the database is asked for a sign of life. */
const SUSPECT_MS = 300;
/** Time for that sign. Together with the interval of checks: callers are told within a second. */
const SIGN_MS = 500;
const CHECK_MS = 100;

export interface Watch {
  /** Factor of the time limits of calls to this database. */
  patience: number;
  /** The outcome of the work; rejects with `StoreUnavailable` once the database is known to be frozen. */
  during<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

interface Waiting {
  since: number;
  fail: (error: Error) => void;
}

/** `config`: of a connection to the same place. */
export function createWatch(config: pg.ClientConfig, patience: number): Watch {
  /** Oldest first. */
  const waiting = new Set<Waiting>();
  let answered_at = performance.now();
  let is_frozen = false;
  let is_checking = false;

  async function check(): Promise<void> {
    const now = performance.now();
    const [oldest] = waiting;
    const is_suspect = oldest !== undefined && now - Math.max(oldest.since, answered_at) >= SUSPECT_MS * patience;
    if (is_checking || !(is_frozen || is_suspect)) return;
    is_checking = true;
    const asked_at = performance.now();
    const is_alive = await givesSign(config, SIGN_MS * patience);
    is_checking = false;
    is_frozen = !is_alive && (is_frozen || answered_at < asked_at);
    if (!is_frozen) return;
    for (const one of waiting) one.fail(frozen());
    waiting.clear();
  }
  const checking = setInterval(() => void check(), CHECK_MS).unref();

  return {
    patience,
    async during(work) {
      if (is_frozen) {
        // A caller that tries again and again leaves the thread to others, and to the answer of the database.
        await nextTurn();
        throw frozen();
      }
      return new Promise((resolve, reject) => {
        const one = { since: performance.now(), fail: reject };
        waiting.add(one);
        const forget = (): void => {
          if (!waiting.delete(one)) return;
          answered_at = performance.now();
        };
        work().then(
          (result) => {
            forget();
            resolve(result);
          },
          (error: unknown) => {
            forget();
            reject(error);
          },
        );
      });
    },
    close: () => clearInterval(checking),
  };
}

const frozen = (): StoreUnavailable => new StoreUnavailable('the database takes connections and does not answer');

/** Whether a new connection hears a single byte, or is refused, which is an answer, too. */
async function givesSign(config: pg.ClientConfig, limit_ms: number): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 0 });
  client.on('error', () => {});
  // Private: the socket. A TLS connection replaces it, after the first byte of the server.
  const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection;
  const connected = client.connect().then(
    () => true,
    () => true,
  );
  const is_alive = await patiently(
    connected,
    limit_ms,
    () => new StoreUnavailable('no sign of life'),
    () => stream.bytesRead,
  ).catch(() => stream.bytesRead > 0);
  // Not awaited: the driver may wait for an end that has been already.
  void client.end().catch(() => {});
  stream.destroy();
  return is_alive;
}
