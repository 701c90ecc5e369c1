/**
 * Queries to FalkorDB over RESP. A call answers within its time or rejects with `StoreUnavailable`; while the server is away calls
 * reject immediately, and the connection recovers by itself.
 */
import { Redis } from 'ioredis';
import { StoreUnavailable } from '../../platform/errors.ts';
import type { BackendHealth } from '../ports/health.ts';
import { measureHealth } from '../ports/health.ts';
import { reasonOf } from '../reason-of.ts';
import { tellUsage } from '../usage.ts';
import { type Cell, type Given, readCell, writeParameters } from './values.ts';

/** One row, by the names of its columns. */
export type Row = Record<string, Cell>;

export interface FalkorConnection {
  /** Rows of a query that changes nothing; none where there is no such graph. */
  read(graph: string, cypher: string, parameters?: Record<string, Given>): Promise<Row[]>;
  write(graph: string, cypher: string, parameters?: Record<string, Given>): Promise<Row[]>;
  /** Makes an index unless it is there. */
  index(graph: string, label: string, property: string): Promise<void>;
  /** Names of all graphs that begin so. */
  graphs(prefix: string): Promise<string[]>;
  drop(graph: string): Promise<void>;
  health(): Promise<BackendHealth>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 1_000;
const READ_TIMEOUT_MS = 2_000;
/** A part of a projection, or a whole compliance graph. */
const WRITE_TIMEOUT_MS = 10_000;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** Connects in the background: a graph that is away must not prevent a start. `url`: falkor://, falkors:// or redis(s)://. */
export function connectFalkor(url: string, notice: (text: string) => void): FalkorConnection {
  const redis = new Redis(url.replace(/^falkor/, 'redis'), {
    connectionName: 'weir',
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: 200,
    commandTimeout: WRITE_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), MAX_RECONNECT_DELAY_MS),
  });
  const { host, port } = redis.options;
  const words = {
    name: `FalkorDB at \`${host}:${port}\``,
    advice: 'PostgreSQL answers instead; check GRAPH_DB_URL and the server',
  };
  const usage = tellUsage(words, notice);
  let lost = 'there is no connection yet';
  redis.on('error', (error) => {
    lost = reasonOf(error);
    usage.away(lost);
  });
  redis.on('ready', usage.up);
  const ready = firstConnection(redis);

  async function ask<T>(command: () => Promise<T>, timeout_ms: number): Promise<T> {
    await ready;
    const asked = command();
    // It may fail after its time is over.
    asked.catch(() => {});
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeout_ms} ms`)), timeout_ms);
    try {
      return await Promise.race([asked, late.promise]);
    } catch (error) {
      const reason = redis.status === 'ready' ? reasonOf(error) : lost;
      throw new StoreUnavailable(`the graph did not answer: ${reason}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  const query =
    (command: string, timeout_ms: number) =>
    async (graph: string, cypher: string, given: Record<string, Given> = {}) => {
      const text = `${writeParameters(given)}${cypher}`;
      const answer = await ask(
        () => redis.call(command, graph, text, '--compact', 'TIMEOUT', timeout_ms) as Promise<CompactAnswer>,
        timeout_ms,
      );
      return rowsOf(answer);
    };
  const read = query('GRAPH.RO_QUERY', READ_TIMEOUT_MS);
  const write = query('GRAPH.QUERY', WRITE_TIMEOUT_MS);

  return {
    write,
    async read(...asked) {
      try {
        return await read(...asked);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async index(graph, label, property) {
      try {
        await write(graph, `CREATE INDEX FOR (n:${label}) ON (n.${property})`);
      } catch (error) {
        if (!/already indexed/.test(causeOf(error))) throw error;
      }
    },
    async graphs(prefix) {
      const names = await ask(() => redis.call('GRAPH.LIST') as Promise<string[]>, READ_TIMEOUT_MS);
      return names.filter((name) => name.startsWith(prefix));
    },
    async drop(graph) {
      try {
        await ask(() => redis.call('GRAPH.DELETE', graph), WRITE_TIMEOUT_MS);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    // A server without the module answers a ping; it is not a graph.
    health: () => measureHealth(() => ask(() => redis.call('GRAPH.LIST'), READ_TIMEOUT_MS)),
    close: () => redis.disconnect(),
  };
}

const causeOf = (error: unknown): string => String((error as Error).cause ?? '');

/** What a graph is called that nothing was written to. */
const isMissing = (error: unknown): boolean => /empty key|does not exist|Graph is either missing/i.test(causeOf(error));

/** Header as (type, name), rows of (type, value), statistics; statistics alone for a query without `RETURN`. */
type CompactAnswer = [[number, string][], [number, unknown][][], string[]] | [string[]];

function rowsOf(answer: CompactAnswer): Row[] {
  if (answer.length === 1) return [];
  const [header, rows] = answer;
  return rows.map((row) => Object.fromEntries(row.map((cell, n) => [header[n]![1], readCell(cell)])));
}

function firstConnection(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['ready', 'close', 'end'] as const) redis.once(event, resolve);
    setTimeout(resolve, CONNECT_TIMEOUT_MS).unref();
  });
}
