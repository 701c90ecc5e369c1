/** Microseconds of `score()` for one event, one thread: events of about 1 KB, and with files given as arguments theirs. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import type { AgentEvent } from '../../src/events/event.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { score } from '../../src/scoring/score.ts';
import { benchEvents } from './events.ts';

export interface EngineFigures {
  events: number;
  median_us: number;
  p99_us: number;
  mean_us: number;
}

const ROUNDS = 7;
/** Before the first round: the compiler goes on making code faster until about then, as in a service that runs. */
const WARM_UP_EVENTS = 20_000;

/** Each event's best of seven rounds after a warm-up, so that one pause of the machine does not count as the engine's. */
export async function measureEngine(events: readonly AgentEvent[]): Promise<EngineFigures> {
  const knowledge = await loadKnowledge();
  const best = new Array<number>(events.length).fill(Number.POSITIVE_INFINITY);
  for (let n = 0; n < WARM_UP_EVENTS; n += 1) score(events[n % events.length]!, null, NO_POLICY, knowledge);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, event] of events.entries()) {
      const start = process.hrtime.bigint();
      score(event, null, NO_POLICY, knowledge);
      const us = Number(process.hrtime.bigint() - start) / 1_000;
      if (us < best[i]!) best[i] = us;
    }
  }
  const sorted = [...best].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return {
    events: events.length,
    median_us: at(0.5),
    p99_us: at(0.99),
    mean_us: best.reduce((a, b) => a + b, 0) / best.length,
  };
}

/** The events of a file of JSON lines (plain or .gz) of events or labelled records. */
export async function eventsOf(file: string): Promise<AgentEvent[]> {
  const raw = createReadStream(file);
  const input = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  const events: AgentEvent[] = [];
  for await (const line of createInterface({ input })) {
    const record = JSON.parse(line) as AgentEvent & { event?: AgentEvent };
    events.push(record.event ?? record);
  }
  return events;
}

export const ownEvents = (): AgentEvent[] => benchEvents().map((event, i) => ({ event_id: `bench-${i}`, ...event }));
