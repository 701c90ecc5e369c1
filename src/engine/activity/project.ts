/**
 * The worker of the graph of activity: adds scored events to each graph, in the order of their times, a few seconds after they were
 * stored. Each graph knows how far it is, so that one that was away, or was emptied, catches up by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { ActivitySource } from '../../storage/ports/activity.ts';
import type { GraphStore } from '../../storage/ports/graph.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';

export interface Projecting {
  /** Resolves when the part in progress is written. */
  stop(): Promise<void>;
}

export interface ProjectingParts {
  graphs: Pick<Graphs, 'all'>;
  source: ActivitySource;
  log: Log;
}

/** Events of one call. */
const PART = 500;
const POLL_MS = 1_000;
/** When the process whose turn it is has died, another takes over after so long. */
const TURN_MS = 10_000;
/** How often what the store has dropped is dropped from the graphs, too. */
const FORGET_MS = 3_600_000;

/** Starts a worker; any number may run. It logs failures and never rejects. */
export function startProjecting({ graphs, source, log }: ProjectingParts): Projecting {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = newId();

  async function follow(graph: GraphStore): Promise<void> {
    let has_failed = false;
    let forget_at = 0;
    while (!signal.aborted) {
      let is_done = true;
      try {
        if (await source.takeTurn(graph.source, holder, TURN_MS)) {
          ({ is_last: is_done } = await projectPart(graph, source));
          if (Date.now() >= forget_at) {
            const kept_from = await source.keptFrom();
            if (kept_from !== null) await graph.activity.forgetBefore(kept_from);
            forget_at = Date.now() + FORGET_MS;
          }
        }
        if (has_failed) log.info({ backend: graph.source }, 'the graph of activity is written again');
        has_failed = false;
      } catch (error) {
        if (!has_failed && !signal.aborted)
          log.warn({ err: error, backend: graph.source }, 'the graph of activity cannot be written; trying again');
        has_failed = true;
      }
      if (is_done) await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const following = graphs.all.map(follow);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(following);
    },
  };
}

/** Adds the next part; `is_last` when there is no other now. */
export async function projectPart(
  { activity }: GraphStore,
  source: ActivitySource,
): Promise<{ events: number; is_last: boolean }> {
  const from = await activity.cursor();
  const { events, cursor, is_last } = await source.next(from, PART);
  if (events.length > 0) await activity.append(events);
  await activity.move(from, cursor);
  return { events: events.length, is_last };
}
