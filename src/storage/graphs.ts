/**
 * The graph that answers: the external one where there is one and it works, else PostgreSQL. An external graph that is away or frozen
 * costs one call its patience; afterwards nothing waits for it until it answers again.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../platform/errors.ts';
import type { GraphStore } from './ports/graph.ts';
import type { Graphs, Sourced } from './ports/graphs.ts';

/** After a failure the external graph is not asked for so long. */
const PAUSE_MS = 2_000;

/** `external`: null without `GRAPH_DB_URL`. */
export function createGraphs(parts: { enabled: boolean; external: GraphStore | null; local: GraphStore }): Graphs {
  const { enabled, external, local } = parts;
  let paused_until = 0;

  async function askExternal<T>(
    graph: GraphStore,
    work: (graph: GraphStore) => Promise<T | null>,
    patience_ms: number,
  ): Promise<Sourced<T> | null> {
    if (performance.now() < paused_until) return null;
    const asked = work(graph);
    // It may fail after its time is over.
    asked.catch(() => {});
    try {
      const answer = await Promise.race([asked, lateAfter(patience_ms)]);
      return answer === null ? null : { source: graph.source, answer };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      paused_until = performance.now() + PAUSE_MS;
      return null;
    }
  }

  return {
    enabled,
    all: enabled ? [...(external === null ? [] : [external]), local] : [],
    async ask(work, patience_ms) {
      if (!enabled) throw new StoreUnavailable('the graph is switched off; set GRAPH_ENABLED=true');
      const found = external === null ? null : await askExternal(external, work, patience_ms);
      return found ?? { source: local.source, answer: await work(local) };
    },
    async health() {
      if (!enabled) return { status: 'disabled', enabled, backend: null, latency_ms: 0 };
      const [of_external, of_local] = await Promise.all([external?.health() ?? null, local.health()]);
      const is_external_up = of_external?.status === 'ok';
      if (of_external !== null) paused_until = is_external_up ? 0 : performance.now() + PAUSE_MS;
      const in_use = is_external_up ? external : of_local.status === 'ok' ? local : null;
      return {
        status: in_use === null ? 'unavailable' : 'ok',
        enabled,
        backend: in_use?.source ?? null,
        latency_ms: (is_external_up ? of_external : of_local).latency_ms,
        ...(of_external !== null && { external: of_external.status }),
      };
    },
    close: async () => void (await Promise.all([external?.close(), local.close()])),
  };
}

async function lateAfter(patience_ms: number): Promise<never> {
  await sleep(patience_ms, undefined, { ref: false });
  throw new StoreUnavailable(`no answer within ${patience_ms} ms`);
}
