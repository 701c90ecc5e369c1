/** GET /health/detailed: checks each dependency now. */
import { Type } from 'typebox';
import type { LlmHealth } from '../../llm/health.ts';
import type { DiskHealth } from '../../platform/disk.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';
import type { Dispatch } from '../../storage/ports/queue.ts';
import type { Storage } from '../../storage/ports/storage.ts';

const status = (...values: string[]) => Type.Enum(values, { type: 'string' });
const latency_ms = Type.Number({ minimum: 0 });

const detailedHealthSchema = Type.Object({
  status: status('ok', 'degraded'),
  dependencies: Type.Object({
    relational_db: Type.Object({
      status: status('ok', 'error'),
      latency_ms,
      migration: Type.Integer({ description: 'number of the last migration that was applied' }),
    }),
    cache: Type.Object({ status: status('ok', 'error'), latency_ms }),
    nats: Type.Optional(
      Type.Object(
        { status: status('ok', 'error'), latency_ms },
        { description: 'only where NATS_URL is set; accepted events are scored without it, too' },
      ),
    ),
    disk: Type.Object(
      {
        status: status('ok', 'degraded', 'error'),
        free_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description: 'of the file system with the least; null where it cannot be told',
        }),
      },
      {
        description:
          'file systems of DATA_DIR and of the embedded database; `degraded` below 256 MiB. A full disk of a database elsewhere is for its own monitoring',
      },
    ),
    graph_db: Type.Object(
      {
        status: status('ok', 'unavailable', 'disabled'),
        enabled: Type.Boolean({ description: 'false: switched off by GRAPH_ENABLED' }),
        backend: Type.Union([status('postgres', 'falkordb'), Type.Null()], {
          description: 'the graph in use; null when it is switched off or none answers',
        }),
        latency_ms,
        external: Type.Optional(status('ok', 'error')),
      },
      {
        description:
          '`ok` when the graph in use answers. `external` is there where GRAPH_DB_URL is set; while it is `error`, PostgreSQL answers',
      },
    ),
    llm_provider: Type.Object(
      {
        status: status('ok', 'error', 'disabled'),
        model: Type.Union([Type.String(), Type.Null()]),
      },
      {
        description:
          '`error` while the provider does not answer, refuses the key or lacks the model, or calls are paused after failures; events are scored without it, too',
      },
    ),
  }),
  graph_reasoner: Type.Object({
    enabled: Type.Boolean(),
    rules_loaded: Type.Integer(),
    ontology_nodes: Type.Integer(),
  }),
});

export interface HealthParts {
  storage: Storage;
  cache: Cache;
  dispatch: Dispatch | null;
  knowledge: Knowledge;
  measure_disk: () => Promise<DiskHealth>;
  /** Null where no language model is set up. */
  llm: { check(): Promise<LlmHealth> } | null;
  graphs: Graphs;
}

export function detailedHealth(parts: HealthParts) {
  let running: Promise<unknown> | null = null;
  return endpoint({
    method: 'GET',
    path: '/health/detailed',
    operation: 'detailed_health',
    summary: 'Health of each dependency',
    description:
      '`degraded` while a dependency does not answer, or little space is left on the disk; the status code stays 200 as long as this process works.',
    tag: 'health',
    access: 'public',
    answers: { 200: { description: 'what was found', schema: detailedHealthSchema } },
    handle: async () => {
      // The endpoint is public, so concurrent callers share one check.
      running ??= check(parts).finally(() => {
        running = null;
      });
      return { body: await running };
    },
  });
}

async function check(parts: HealthParts): Promise<unknown> {
  const { storage, cache, dispatch, knowledge, measure_disk, graphs, llm } = parts;
  const [relational_db, cached, nats, disk, graph_db, model] = await Promise.all([
    storage.health(),
    cache.health(),
    dispatch?.health(),
    measure_disk(),
    graphs.health(),
    llm?.check(),
  ]);
  const is_graph_ok = graph_db.status !== 'unavailable' && graph_db.external !== 'error';
  const is_ok =
    is_graph_ok && [relational_db, cached, nats, disk, model].every((one) => one === undefined || one.status === 'ok');
  return {
    status: is_ok ? 'ok' : 'degraded',
    dependencies: {
      relational_db: {
        status: relational_db.status,
        latency_ms: relational_db.latency_ms,
        migration: relational_db.migration,
      },
      cache: { status: cached.status, latency_ms: cached.latency_ms },
      ...(nats !== undefined && { nats: { status: nats.status, latency_ms: nats.latency_ms } }),
      disk,
      graph_db,
      llm_provider: model ?? { status: 'disabled', model: null },
    },
    graph_reasoner: {
      enabled: true,
      rules_loaded: knowledge.rules.length,
      ontology_nodes: knowledge.ontology.node_count,
    },
  };
}
