/** PostgreSQL, the only store of scores: an operator's server, or the embedded one (../embedded). */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, WeirError } from '../../platform/errors.ts';
import { measureHealth } from '../ports/health.ts';
import { RecordRefused, type Storage, type StoreHealth } from '../ports/storage.ts';
import { reasonOf } from '../reason-of.ts';
import { StartError } from '../start-error.ts';
import { apiKeyStore } from './auth/api-keys.ts';
import { authStore } from './auth/index.ts';
import { forgetExpired } from './auth/session-counts.ts';
import { sqlState } from './connection/errors.ts';
import { listen } from './connection/listen.ts';
import { createPool, endPool, query, type Target, watchOf } from './connection/pool.ts';
import { groupCommit } from './events/group-commit.ts';
import { type RuleSet, ruleTextsOf } from './events/kept-assessment.ts';
import { countOwners, origin } from './events/owner-counts.ts';
import { ruleTextStore } from './events/rule-texts.ts';
import { scoreReads } from './events/scores.ts';
import { TRACE_SESSION, traces } from './events/traces.ts';
import { writeGroup } from './events/write-group.ts';
import { activitySource } from './graph/activity-source.ts';
import { controlStore } from './graph/controls.ts';
import { postgresGraph } from './graph/index.ts';
import { DECISIONS, holdStore } from './holds/holds.ts';
import { migrate } from './migrate.ts';
import { dropExpired, makePartitions, type PartitionLength } from './partitions/partitions.ts';
import { keepUp } from './partitions/upkeep.ts';
import { peopleStore } from './people/people.ts';
import { policyStore } from './policies.ts';
import { queueStore } from './queue/queue.ts';
import { CHANNEL } from './queue/queue-chunks.ts';
import { webhookStore } from './webhooks/index.ts';
import { WEBHOOK_CHANNEL } from './webhooks/publish.ts';

export interface PostgresOptions {
  /** Connections for everything but writing scores; 8 by default, which keeps two cores busy. */
  connections?: number;
  /**
   * How long to wait for a server that is not up yet, as when both start together; 15,000 by default, which recovery
   * after a crash seldom takes, and after which the operator should know.
   */
  wait_ms?: number;
  /** Factor of the time limits of calls; 1 by default. */
  patience?: number;
  /** Receives the reason for waiting, once, and events that cannot be read whole; discarded by default. */
  notice?: (text: string) => void;
  /** How much time one partition of the events holds; a month by default. */
  partition?: PartitionLength;
  /** Days after which events are dropped, in whole partitions; 0, the default, keeps them forever. */
  retention_days?: number;
  /** The rules of the scores that will be recorded, so that their texts are stored once; without, each score is stored with its texts. */
  rules?: RuleSet;
}

/** Connections that only write scores, so that slow lists cannot delay writes. One more than groups in flight. */
const WRITE_CONNECTIONS = 2;
/** Connections that only read traces: an event waits for them, so lists must not delay them. */
const TRACE_CONNECTIONS = 2;
/** Connections that only walk graphs, so that a long walk delays nothing else. */
const GRAPH_CONNECTIONS = 2;
const WAIT_MS = 15_000;
const RETRY_MS = 100;
/**
 * 08 connection, 25 read-only before promotion, 40 rollback, 53 too many connections, 55 a lock that was not free, 57
 * starting up or shutting down.
 */
const PASSING_CLASSES = new Set(['08', '25', '40', '53', '55', '57']);

/** The database at `url`, migrated and ready. Rejects with `StartError` when it cannot be used. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Storage> {
  const name = `PostgreSQL at \`${withoutPassword(url)}\``;
  try {
    return await openTarget({ url }, name, options);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot use ${name}: ${reasonOf(error)}; check DATABASE_URL and that the server is up`, {
      cause: error,
    });
  }
}

/** The same for any target, with its name for people; rejects with the driver's own error. */
export async function openTarget(target: Target, name: string, options: PostgresOptions = {}): Promise<Storage> {
  const {
    connections = 8,
    partition = 'month',
    retention_days = 0,
    wait_ms = WAIT_MS,
    patience,
    notice = () => {},
    rules,
  } = options;
  const whenUp = untilUp(wait_ms, (reason) => notice(`waiting for ${name}: ${reason}`));
  const migration = await whenUp(() => migrate(target));
  const watch = watchOf(target, patience);
  const reads = createPool(target, connections, '', watch);
  const writes = createPool(target, WRITE_CONNECTIONS, '', watch);
  const past = createPool(target, TRACE_CONNECTIONS, TRACE_SESSION, watch);
  const walks = createPool(target, GRAPH_CONNECTIONS, '', watch);
  const pools = [reads, writes, past, walks] as const;
  const preparePartitions = () => makePartitions(reads, partition);
  const texts = ruleTextStore(reads, notice);
  try {
    await whenUp(preparePartitions);
    if (rules !== undefined) await whenUp(() => texts.keep(rules.version, ruleTextsOf(rules)));
  } catch (error) {
    await Promise.all(pools.map(endPool));
    throw error;
  }
  // A failure can wait: partitions are made far ahead, and an insert that lacks one makes it.
  const endUpkeep = keepUp(async () => {
    await preparePartitions();
    await forgetExpired(reads);
    if (retention_days > 0) await dropExpired(target, retention_days);
  }, notice);
  const writer = groupCommit(
    writeGroup.bind(null, { pool: writes, texts, makePartitions: preparePartitions }),
    undefined,
    texts,
  );
  const work = listen(target, CHANNEL);
  const messages = listen(target, WEBHOOK_CHANNEL);
  const decisions = listen(target, DECISIONS);
  let closing: Promise<void> | null = null;
  return {
    scores: {
      ...scoreReads(reads, texts),
      record: writer.record,
      recordInOrder: writer.recordInOrder,
      traces: (owners, limit) => traces(past, owners, limit),
      countOwners: (since) => countOwners(reads, since),
      origin: () => origin(reads),
    },
    queue: queueStore(reads, work.subscribe),
    policies: policyStore(reads),
    people: peopleStore(reads),
    api_keys: apiKeyStore(reads),
    auth: authStore(reads),
    webhooks: webhookStore(reads, messages.subscribe),
    holds: holdStore(reads, decisions),
    controls: controlStore(reads),
    graph: postgresGraph(walks),
    activity: activitySource(walks),
    health: () => health(reads, migration, patience),
    whenUp,
    load() {
      const sum = (of: 'totalCount' | 'idleCount' | 'waitingCount'): number =>
        pools.reduce((total, pool) => total + pool[of], 0);
      const [connections, idle, waiting] = [sum('totalCount'), sum('idleCount'), sum('waitingCount')];
      return { connections, idle, waiting, unwritten: writer.waiting() };
    },
    close() {
      endUpkeep();
      closing ??= Promise.all([writer.drain(), work.close(), messages.close(), decisions.close()]).then(
        async () => void (await Promise.all(pools.map(endPool))),
      );
      return closing;
    },
  };
}

/**
 * Retries until the server succeeds, for `wait_ms` in all; on a busy machine one attempt may take that long, so there
 * are always two. `notice` receives the reason for waiting, once.
 */
function untilUp(wait_ms: number, notice: (reason: string) => void) {
  const deadline = performance.now() + wait_ms;
  let has_said = false;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || (attempt > 1 && performance.now() > deadline)) throw error;
        if (!has_said) notice(reasonOf(error));
        has_said = true;
        await sleep(RETRY_MS);
      }
    }
  };
}

/**
 * Whether waiting may help: a refusal by the server is final, unless it is only busy, starting or stopping. A migration
 * that was interrupted this way was rolled back.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof RecordRefused || error instanceof WeirError) return false;
  if (error instanceof StartError && error.cause === undefined) return false;
  const state = sqlState(error instanceof StoreUnavailable || error instanceof StartError ? error.cause : error);
  return state === null || PASSING_CLASSES.has(state.slice(0, 2));
}

async function health(
  pool: Parameters<typeof query>[0],
  migration: number,
  patience: number | undefined,
): Promise<StoreHealth> {
  let newest = migration;
  const { status, latency_ms, ...rest } = await measureHealth(async () => {
    const rows = await query<{ number: number }>(pool, 'select max(number) as number from schema_migrations');
    newest = rows[0]?.number ?? 0;
  }, patience);
  return { status, latency_ms, migration: newest, ...rest };
}

function withoutPassword(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed === null ? 'DATABASE_URL' : `${parsed.hostname}:${parsed.port || '5432'}${parsed.pathname}`;
}
