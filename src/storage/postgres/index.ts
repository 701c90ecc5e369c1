/** PostgreSQL, the only place scores are kept: a server someone runs, or the embedded one (../embedded). */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage, StoreHealth } from '../ports.ts';
import { StartError } from '../start-error.ts';
import { apiKeyStore } from './api-keys.ts';
import { authStore } from './auth/index.ts';
import { sqlState } from './errors.ts';
import { groupCommit } from './group-commit.ts';
import { DECISIONS, holdStore } from './holds.ts';
import { listen } from './listen.ts';
import { migrate } from './migrate.ts';
import { countOwners, origin } from './owner-counts.ts';
import { dropExpired, makePartitions, type PartitionLength } from './partitions.ts';
import { policyStore } from './policies.ts';
import { createPool, endPool, query, type Target } from './pool.ts';
import { CHANNEL, queueStore } from './queue.ts';
import { scoreReads } from './scores.ts';
import { TRACE_SESSION, traces } from './traces.ts';
import { keepUp } from './upkeep.ts';
import { WEBHOOK_CHANNEL, webhookStore } from './webhooks/index.ts';
import { writeGroup } from './write-group.ts';

export interface PostgresOptions {
  /** Connections for everything but writing scores; 8 by default, which keeps two cores busy. */
  connections?: number;
  /** How long to wait for a server that is not up yet, as when both start together; 5,000 by default. */
  wait_ms?: number;
  /** How much time one partition of the events holds; a month by default. */
  partition?: PartitionLength;
  /** Days after which events are dropped, in whole partitions; 0 keeps them for ever, the default. */
  retention_days?: number;
}

/** Connections that only write scores, so that slow lists cannot hold writes up. One more than groups in flight. */
const WRITE_CONNECTIONS = 2;
/** Connections that only read traces: an event waits for them, so lists must not hold them up. */
const TRACE_CONNECTIONS = 2;
const HEALTH_TIMEOUT_MS = 1_000;

/** The database at `url`, migrated and ready. Rejects with `StartError` when it cannot be used. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  try {
    return await openTarget({ url }, options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `cannot use PostgreSQL at \`${withoutPassword(url)}\`: ${reasonOf(error)}; check DATABASE_URL and that the server is up`,
      { cause: error },
    );
  }
}

/** The same for any target; rejects with the driver's own error. */
export async function openTarget(target: Target, options: PostgresOptions = {}): Promise<Storage> {
  const migration = await migrateWhenUp(target, options.wait_ms ?? 5_000);
  const reads = createPool(target, options.connections ?? 8);
  const writes = createPool(target, WRITE_CONNECTIONS);
  const past = createPool(target, TRACE_CONNECTIONS, TRACE_SESSION);
  const { partition = 'month', retention_days = 0 } = options;
  const preparePartitions = () => makePartitions(reads, partition);
  await preparePartitions();
  // A failure can wait: partitions are made far ahead, and an insert that lacks one makes it.
  const endUpkeep = keepUp(async () => {
    await preparePartitions();
    if (retention_days > 0) await dropExpired(target, retention_days);
  });
  const writer = groupCommit((rows) => writeGroup(writes, rows, preparePartitions));
  const work = listen(target, CHANNEL);
  const messages = listen(target, WEBHOOK_CHANNEL);
  const decisions = listen(target, DECISIONS);
  let closing: Promise<void> | null = null;
  return {
    scores: {
      ...scoreReads(reads),
      record: writer.record,
      traces: (owners, limit) => traces(past, owners, limit),
      countOwners: (since) => countOwners(reads, since),
      origin: () => origin(reads),
    },
    queue: queueStore(reads, work.subscribe),
    policies: policyStore(reads),
    api_keys: apiKeyStore(reads),
    auth: authStore(reads),
    webhooks: webhookStore(reads, messages.subscribe),
    holds: holdStore(reads, decisions),
    health: () => health(reads, migration),
    load() {
      const sum = (of: 'totalCount' | 'idleCount' | 'waitingCount'): number => reads[of] + writes[of] + past[of];
      const [connections, idle, waiting] = [sum('totalCount'), sum('idleCount'), sum('waitingCount')];
      return { connections, idle, waiting, unwritten: writer.waiting() };
    },
    close() {
      endUpkeep();
      closing ??= Promise.all([writer.drain(), work.close(), messages.close(), decisions.close()]).then(
        async () => void (await Promise.all([reads, writes, past].map(endPool))),
      );
      return closing;
    },
  };
}

async function migrateWhenUp(target: Target, wait_ms: number): Promise<number> {
  const deadline = performance.now() + wait_ms;
  for (;;) {
    try {
      return await migrate(target);
    } catch (error) {
      // The server itself refuses: that does not pass by waiting, unless it is starting or stopping (57).
      const is_final = error instanceof StartError || !(sqlState(error) ?? '57').startsWith('57');
      if (is_final || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

async function health(pool: Parameters<typeof query>[0], migration: number): Promise<StoreHealth> {
  const start = performance.now();
  const latency = () => Math.round((performance.now() - start) * 10) / 10;
  const late = sleep(HEALTH_TIMEOUT_MS, null, { ref: false });
  try {
    const rows = await Promise.race([
      query<{ number: number }>(pool, 'select max(number) as number from schema_migrations'),
      late,
    ]);
    if (rows === null)
      return { status: 'error', latency_ms: latency(), migration, detail: 'no answer within a second' };
    return { status: 'ok', latency_ms: latency(), migration: rows[0]?.number ?? 0 };
  } catch (error) {
    return { status: 'error', latency_ms: latency(), migration, detail: (error as Error).message };
  }
}

function reasonOf(error: unknown): string {
  // Several addresses were tried: the first failure says as much as all of them.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function withoutPassword(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed === null ? 'DATABASE_URL' : `${parsed.hostname}:${parsed.port || '5432'}${parsed.pathname}`;
}
