/** Keeps the compliance graph of this version of the rules in every graph backend. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';
import { complianceDocument } from './document.ts';

export interface KeptSynced {
  /** Settles when each graph was tried once. */
  tried: Promise<void>;
  stop(): Promise<void>;
}

/** An external graph may be emptied at any time; that it still has the version costs one short question. */
const CHECK_MS = 30_000;
const RETRY_MS = 1_000;

/** Starts in the background and never rejects: a justification does without the graph until then. */
export function keepSynced({ graphs, knowledge, log }: { graphs: Graphs; knowledge: Knowledge; log: Log }): KeptSynced {
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();

  async function keep(): Promise<void> {
    if (graphs.all.length === 0) return first.resolve();
    const document = complianceDocument(knowledge);
    let has_failed = false;
    while (!signal.aborted) {
      let is_synced = true;
      for (const graph of graphs.all) {
        const failure = await graph.compliance.sync(document).then(
          () => null,
          (error: unknown) => error,
        );
        if (failure === null || signal.aborted) continue;
        is_synced = false;
        if (!has_failed)
          log.warn({ err: failure, backend: graph.source }, 'the compliance graph cannot be written; trying again');
        has_failed = true;
      }
      first.resolve();
      if (is_synced) has_failed = false;
      await sleep(is_synced ? CHECK_MS : RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const keeping = keep();
  return {
    tried: first.promise,
    async stop() {
      stopping.abort();
      await keeping;
    },
  };
}
