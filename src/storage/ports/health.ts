/** The health of a backend: a cheap request, bounded in time, reported with its duration. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BackendHealth {
  status: 'ok' | 'error';
  latency_ms: number;
  /** Why it is an error, in words for an operator. */
  detail?: string;
}

const PATIENCE_MS = 1_000;

/** Never rejects: a ping that rejects, or takes longer than a second times the patience, is an error. */
export async function measureHealth(ping: () => Promise<unknown>, patience = 1): Promise<BackendHealth> {
  const start = performance.now();
  const latency_ms = (): number => Math.round((performance.now() - start) * 10) / 10;
  const late = sleep(PATIENCE_MS * patience, false, { ref: false });
  try {
    const is_there = await Promise.race([ping().then(() => true), late]);
    if (!is_there)
      throw new Error(patience === 1 ? 'no answer within a second' : `no answer within ${patience} seconds`);
    return { status: 'ok', latency_ms: latency_ms() };
  } catch (error) {
    return { status: 'error', latency_ms: latency_ms(), detail: (error as Error).message };
  }
}
