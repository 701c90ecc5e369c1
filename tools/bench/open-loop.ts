/**
 * Events that arrive at a fixed rate whatever the answers, as from many callers who know nothing of each other. Times
 * count from when an event was due, so that a server that stalls cannot hide it by holding the load generator up.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { benchEvents } from './events.ts';

const BODIES = 200;
/** How often due events are sent: finer than what is measured, coarser than a timer's own cost. */
const TICK_MS = 2;
/** An answer that takes longer counts as none. */
const PATIENCE_MS = 20_000;

export interface Arrivals {
  url: string;
  api_key: string;
  per_second: number;
  seconds: number;
  /** Sockets that events may use at a time; more wait at the sender, and their time counts. */
  connections?: number;
}

export interface Answered {
  sent: number;
  /** Answers by status; 0: none. */
  by_status: Map<number, number>;
  /** Of the answers 200, in order of arrival: when the event was due, in seconds from the start, and how long it took. */
  times: { at_s: number; ms: number }[];
  /** Refusals (429, 503) that did not say when to try again. */
  without_retry_after: number;
}

const templates = benchEvents(BODIES);

/** No two alike, so that no score comes from a cache. */
function makeBody(n: number): string {
  const event = templates[n % BODIES]!;
  return JSON.stringify({ event_id: randomUUID(), ...event, agent: { ...event.agent, model: `m-${randomUUID()}` } });
}

export async function arrive({ url, api_key, per_second, seconds, connections = 256 }: Arrivals): Promise<Answered> {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const headers = { 'content-type': 'application/json', 'x-api-key': api_key };
  const answered: Answered = { sent: 0, by_status: new Map(), times: [], without_retry_after: 0 };
  const count = (status: number): void =>
    void answered.by_status.set(status, (answered.by_status.get(status) ?? 0) + 1);
  const open = new Set<Promise<void>>();
  const start = performance.now();

  async function send(n: number, due: number): Promise<void> {
    try {
      const answer = await pool.request({ path: '/events', method: 'POST', headers, body: makeBody(n) });
      await answer.body.dump();
      count(answer.statusCode);
      if (answer.statusCode === 200) answered.times.push({ at_s: (due - start) / 1_000, ms: performance.now() - due });
      else if (answer.headers['retry-after'] === undefined) answered.without_retry_after += 1;
    } catch {
      count(0);
    }
  }

  const total = Math.round(per_second * seconds);
  while (answered.sent < total) {
    const due_by_now = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * per_second) + 1);
    for (; answered.sent < due_by_now; answered.sent += 1) {
      const sending = send(answered.sent, start + (answered.sent / per_second) * 1_000).finally(() =>
        open.delete(sending),
      );
      open.add(sending);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(open);
  await pool.close();
  return answered;
}

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
  p999: number;
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999) };
}

export const percentilesOf = ({ times }: Answered): Percentiles => percentiles(times.map(({ ms }) => ms));
