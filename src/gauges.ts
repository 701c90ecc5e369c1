/**
 * The gauges of `GET /metrics`: the state of this process, and of the stores that all processes share. The stores are queried at
 * most once in ten seconds, however often the metrics are scraped, and their gauges are left out while they do not answer.
 */
import type { Turns } from './engine/turns.ts';
import type { Clock } from './platform/clock.ts';
import type { Intake } from './platform/http/intake.ts';
import type { Metrics, Reading } from './platform/metrics.ts';
import type { Cache } from './storage/ports/cache.ts';
import type { Dispatch, QueueStats } from './storage/ports/queue.ts';
import type { Storage } from './storage/ports/storage.ts';
import type { OutboxStats } from './storage/ports/webhooks.ts';

export interface GaugeParts {
  storage: Storage;
  cache: Cache;
  dispatch: Dispatch | null;
  turns: Turns;
  intake: Intake;
  clock: Clock;
  version: string;
  rule_set_version: string;
}

/** How long an answer of the stores is reused, in milliseconds. */
const KEEP_MS = 10_000;
/** A scrape waits no longer than this for the stores; a late answer appears in the next scrape. */
const PATIENCE_MS = 1_500;

interface Asked {
  queue: QueueStats | null;
  outbox: OutboxStats | null;
  stores: [up: boolean, latency_s: number, store: string][];
}

/** Adds the gauges; returns the function that renders all metrics as text. */
export function addGauges(metrics: Metrics, parts: GaugeParts): () => Promise<string> {
  let asked: Asked = { queue: null, outbox: null, stores: [] };
  let asked_at = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    if (parts.clock.ticks() - asked_at < KEEP_MS) return;
    asking ??= ask(parts).then((answer) => {
      asked = answer;
      asked_at = parts.clock.ticks();
      asking = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([asking, late]);
    clearTimeout(timer);
  }

  addOwn(metrics, parts);
  const { gauge } = metrics;
  const ofQueue = (name: keyof QueueStats) => (): Reading[] => (asked.queue === null ? [] : [[asked.queue[name]]]);
  gauge('weir_queue_waiting_events', 'Events accepted and not scored yet, of all nodes.', [], ofQueue('waiting'));
  gauge('weir_queue_oldest_seconds', 'Age of the oldest of them: the lag of the workers.', [], ofQueue('oldest_s'));
  gauge('weir_queue_leased_lanes', 'Lanes that workers are at, of all nodes.', [], ofQueue('leased_lanes'));
  gauge('weir_queue_dead_events', 'Events that no worker could score; see `weir queue dead`.', [], ofQueue('dead'));
  const ofOutbox = (name: keyof OutboxStats) => (): Reading[] => (asked.outbox === null ? [] : [[asked.outbox[name]]]);
  gauge('weir_webhook_pending_deliveries', 'Deliveries that wait for an attempt.', [], ofOutbox('pending'));
  gauge('weir_webhook_overdue_seconds', 'How long the oldest attempt is overdue.', [], ofOutbox('overdue_s'));
  gauge('weir_webhook_dead_deliveries', 'Deliveries that were given up.', [], ofOutbox('dead'));
  gauge('weir_store_up', 'Whether the store answers: database, cache, nats.', ['store'], () =>
    asked.stores.map(([up, , store]) => [up ? 1 : 0, store]),
  );
  gauge('weir_store_latency_seconds', 'How long the store took to answer.', ['store'], () =>
    asked.stores.map(([, latency_s, store]) => [latency_s, store]),
  );
  return async () => {
    await refresh();
    return metrics.text();
  };
}

/** Gauges of this process. */
function addOwn({ gauge }: Metrics, { storage, turns, intake, version, rule_set_version }: GaugeParts): void {
  gauge('weir_build_info', 'Version of the program.', ['version'], () => [[1, version]]);
  gauge('weir_rule_set_info', 'Version of ontology and rules.', ['rule_set_version'], () => [[1, rule_set_version]]);
  gauge('weir_turns', 'Events by state: in_work, waiting (for a turn), later (accepted, waiting).', ['state'], () =>
    Object.entries(turns.load()).map(([state, count]) => [count, state]),
  );
  gauge('weir_intake_bytes', 'Bodies and messages under way.', [], () => [[intake.load()]]);
  gauge('weir_database_connections', 'Connections to the database by state: busy, idle.', ['state'], () => {
    const { connections, idle } = storage.load();
    return [
      [connections - idle, 'busy'],
      [idle, 'idle'],
    ];
  });
  gauge('weir_database_waiting_calls', 'Calls that wait for a connection.', [], () => [[storage.load().waiting]]);
  gauge('weir_unwritten_scores', 'Scores that wait to be written.', [], () => [[storage.load().unwritten]]);
}

async function ask({ storage, cache, dispatch }: GaugeParts): Promise<Asked> {
  const [queue, outbox, database, cached, nats] = await Promise.all([
    storage.queue.stats().catch(() => null),
    storage.webhooks.stats().catch(() => null),
    storage.health(),
    cache.health(),
    dispatch?.health(),
  ]);
  const stores = { database, cache: cached, ...(nats !== undefined && { nats }) };
  return {
    queue,
    outbox,
    stores: Object.entries(stores).map(([name, { status, latency_ms }]) => [status === 'ok', latency_ms / 1_000, name]),
  };
}
