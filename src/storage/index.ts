/**
 * The backends, as values. The first whose `isChosen` returns true is used. To add one: a directory, and a row here. What few
 * servers use is imported when it is chosen, because each client library takes 10 to 25 ms of a start.
 */
import type { Settings } from '../platform/settings.ts';
import { openEmbedded } from './embedded/index.ts';
import { memoryCache } from './memory/cache.ts';
import type { Cache } from './ports/cache.ts';
import type { GraphStore } from './ports/graph.ts';
import type { Dispatch } from './ports/queue.ts';
import type { Storage } from './ports/storage.ts';
import type { RuleSet } from './postgres/events/kept-assessment.ts';
import { openPostgres, type PostgresOptions } from './postgres/index.ts';

export type StorageSettings = Pick<
  Settings,
  | 'DATABASE_URL'
  | 'DATABASE_CONNECTIONS'
  | 'DATA_DIR'
  | 'REDIS_URL'
  | 'STORE_PATIENCE'
  | 'EVENT_PARTITION'
  | 'RETENTION_DAYS'
>;

/** Receives a line about the backend's state, for the log. */
export type Notice = (text: string) => void;

export interface Backend<Port> {
  name: string;
  /** Its name for people. */
  when: string;
  isChosen(settings: StorageSettings): boolean;
  /**
   * Rejects with `StartError` when it cannot be used as configured. `rules`: of the scores that will be recorded; a process that
   * records none leaves them out.
   */
  open(settings: StorageSettings, notice: Notice, rules?: RuleSet): Promise<Port>;
}

const optionsOf = (settings: StorageSettings, notice: Notice, rules: RuleSet | undefined): PostgresOptions => ({
  notice,
  connections: settings.DATABASE_CONNECTIONS,
  patience: settings.STORE_PATIENCE,
  partition: settings.EVENT_PARTITION,
  retention_days: settings.RETENTION_DAYS,
  ...(rules !== undefined && { rules }),
});

export const storageBackends: readonly Backend<Storage>[] = [
  {
    name: 'postgres',
    when: 'DATABASE_URL is set',
    isChosen: (settings) => settings.DATABASE_URL !== null,
    open: (settings, notice, rules) => openPostgres(settings.DATABASE_URL!, optionsOf(settings, notice, rules)),
  },
  {
    name: 'embedded',
    when: 'DATABASE_URL is not set',
    isChosen: () => true,
    open: (settings, notice, rules) => openEmbedded(settings.DATA_DIR, optionsOf(settings, notice, rules)),
  },
];

export interface CacheBackend extends Omit<Backend<Cache>, 'open'> {
  /** `memory_key`: authenticates what the cache keeps of agents and sessions. */
  open(settings: StorageSettings, notice: Notice, memory_key: () => Promise<Buffer>): Promise<Cache>;
}

export const cacheBackends: readonly CacheBackend[] = [
  {
    name: 'redis',
    when: 'REDIS_URL is set',
    isChosen: (settings) => settings.REDIS_URL !== null,
    open: async (settings, notice, memory_key) => {
      const { redisCache } = await import('./redis/cache.ts');
      return redisCache(settings.REDIS_URL!, { notice, memory_key, patience: settings.STORE_PATIENCE });
    },
  },
  {
    name: 'memory',
    when: 'REDIS_URL is not set',
    isChosen: () => true,
    open: async () => memoryCache(),
  },
];

/** The channel that announces work to other nodes; `null` when NATS_URL is not set: then the database does. */
export async function openDispatch(
  settings: Pick<Settings, 'NATS_URL' | 'NATS_PREFIX'>,
  notice: Notice,
): Promise<Dispatch | null> {
  if (settings.NATS_URL === null) return null;
  const { natsDispatch } = await import('./nats/dispatch.ts');
  return natsDispatch(settings.NATS_URL, settings.NATS_PREFIX, notice);
}

/** The graph beside the one in the storage; `null` when GRAPH_DB_URL is not set. */
export async function openExternalGraph(url: string | null, notice: Notice): Promise<GraphStore | null> {
  if (url === null) return null;
  const { falkorGraph } = await import('./falkordb/index.ts');
  return falkorGraph(url, { notice });
}

/** The backend that these settings choose. */
export function chooseBackend<Chosen extends Pick<Backend<unknown>, 'isChosen'>>(
  backends: readonly Chosen[],
  settings: StorageSettings,
): Chosen {
  return backends.find((backend) => backend.isChosen(settings))!;
}
