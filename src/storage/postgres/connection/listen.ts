/** Receives notifications of other nodes through the database (`notify`). A hint, never the only source. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig, type Target } from './pool.ts';

const RECONNECT_MS = 1_000;

export type Heard = (payload: string | null) => void;

export interface Listening {
  /**
   * Calls back with the text of each notification, and with `null` when the connection is back after a break. Returns a
   * function that unsubscribes.
   */
  subscribe(callback: Heard): () => void;
  close(): Promise<void>;
}

/** Connects at the first subscription, and again whenever the connection is lost. */
export function listen(target: Target, channel: string): Listening {
  const callbacks = new Set<Heard>();
  let client: pg.Client | null = null;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();
  const tell = (payload: string | null): void => {
    for (const callback of callbacks) callback(payload);
  };

  async function once(): Promise<void> {
    client = new pg.Client({ ...connectionConfig(target), keepAliveInitialDelayMillis: 5_000 });
    const lost = new Promise<void>((resolve) => {
      client!.on('error', () => resolve());
      client!.on('end', () => resolve());
    });
    client.on('notification', ({ payload }) => tell(payload ?? null));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      tell(null);
      await lost;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await once().catch(() => {});
      await sleep(RECONNECT_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  return {
    subscribe(callback) {
      callbacks.add(callback);
      running ??= run();
      return () => void callbacks.delete(callback);
    },
    async close() {
      stopping.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
}
