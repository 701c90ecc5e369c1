/**
 * Keeps one server running on a cluster, whichever process started it. It holds one connection all the time: the server
 * sees its users, and this process notices immediately when the server is gone. Calls in the meantime fail with
 * `StoreUnavailable`.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Cluster } from './cluster.ts';
import { runningPid, spawnServer, startFailure, stopServer, tryConnect } from './server.ts';

export interface Supervisor {
  /** Releases the server, and stops it when no other Weir process uses it. */
  close(): Promise<void>;
}

/** Called when the server was lost and when it is back; for the log. */
export type Notice = (text: string) => void;

const POLL_MS = 10;
/** Recovery after a crash replays at most `max_wal_size`; that takes seconds, rarely a minute. */
const START_TIMEOUT_MS = 60_000;
/**
 * Attempts in a row before the first start gives up; a second process or the remains of a dead server may be in the
 * way.
 */
const ATTEMPTS = 10;
const RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/** Names of the connections by which processes show that they use the server. */
const PRESENT = 'weir-present-';

export async function superviseServer(cluster: Cluster, notice: Notice): Promise<Supervisor> {
  const name = `${PRESENT}${randomBytes(4).toString('hex')}`;
  const closing = new AbortController();
  const started = new Set<ChildProcess>();
  // A process that ends without `close()`, as at a second signal, leaves no server of its own behind. `SIGQUIT` ends it at
  // once; the next start replays what was answered. Other processes that share it start it again.
  const endStarted = (): void => {
    for (const child of started) child.kill('SIGQUIT');
  };
  process.on('exit', endStarted);
  let presence = await ensureServer(cluster, name, started, closing.signal);
  let recovery = Promise.resolve();
  watch(presence);

  function watch(client: pg.Client): void {
    client.once('end', () => {
      if (!closing.signal.aborted) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    notice('the embedded PostgreSQL is gone; starting it again');
    for (let wait = RETRY_MS; !closing.signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      try {
        presence = await ensureServer(cluster, name, started, closing.signal);
        watch(presence);
        return notice('the embedded PostgreSQL is back');
      } catch (error) {
        if (closing.signal.aborted) return;
        notice(`the embedded PostgreSQL does not start: ${(error as Error).message}`);
        await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  return {
    async close() {
      closing.abort();
      await recovery;
      // Before the others are counted: of processes that close at the same moment, the last one to do this counts none.
      await presence.query(`set application_name = 'closing'`).catch(() => {});
      const is_shared = await hasOtherUsers(cluster, name);
      await presence.end().catch(() => {});
      if (!is_shared) await stopServer(cluster);
      process.removeListener('exit', endStarted);
    },
  };
}

/** A connection to the server on this cluster: the one that runs already, otherwise one started now. */
async function ensureServer(
  cluster: Cluster,
  name: string,
  started: Set<ChildProcess>,
  closing: AbortSignal,
): Promise<pg.Client> {
  const timeout = AbortSignal.any([closing, AbortSignal.timeout(START_TIMEOUT_MS)]);
  for (let attempt = 1; ; attempt += 1) {
    const client = await startOrAdopt(cluster, name, started, timeout);
    if (client !== null) return client;
    if (attempt >= ATTEMPTS || timeout.aborted) throw startFailure(cluster);
    await sleep(RETRY_MS);
  }
}

/** `null` when the server process ended before it answered. */
async function startOrAdopt(
  cluster: Cluster,
  name: string,
  started: Set<ChildProcess>,
  timeout: AbortSignal,
): Promise<pg.Client | null> {
  let is_running = () => runningPid(cluster) !== null;
  if (!is_running()) {
    const child = spawnServer(cluster);
    started.add(child);
    child.once('exit', () => started.delete(child));
    is_running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }
  do {
    const client = await tryConnect(cluster, name);
    if (client !== null) return client;
    await sleep(POLL_MS);
  } while (is_running() && !timeout.aborted);
  return null;
}

/**
 * Counts processes by their presence alone: the server may still list connections that a process has ended. Uses a new connection,
 * because the previous one may have died with an earlier server.
 */
async function hasOtherUsers(cluster: Cluster, name: string): Promise<boolean> {
  const client = await tryConnect(cluster, 'closing');
  if (client === null) return false;
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
       where backend_type = 'client backend' and starts_with(application_name, $1) and application_name <> $2`,
      [PRESENT, name],
    );
    return rowCount !== 0;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
