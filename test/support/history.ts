/** What tests of the temporal layer need: traces, memories made of them, and a history with only the interesting parts. */
import { type Memory, memoryOf } from '../../src/scoring/history/memory.ts';
import { silent } from '../../src/scoring/history/says.ts';
import type { Footprint, StoredTrace, Trace } from '../../src/scoring/history/trace.ts';
import type { History } from '../../src/scoring/types.ts';

/** A Wednesday, 10:00 UTC. */
export const WEDNESDAY = Date.parse('2026-03-04T10:00:00Z');
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const QUIET: History = silent();

export function footprint(parts: Partial<Footprint> = {}): Footprint {
  return {
    action: 'crm:contact:read',
    domain: 'crm',
    group: 'read',
    is_change: false,
    is_high_impact: false,
    resource: 'customer_record:1',
    places: [],
    classes: [],
    is_refused: false,
    ...parts,
  };
}

let count = 0;

/** One stored trace at a moment of the database's clock. */
export function storedTrace(at: number, parts: Partial<Trace> & { event_id?: string } = {}): StoredTrace {
  const { event_id = `e${(count += 1)}`, ...trace } = parts;
  return {
    event_id,
    scored_at: new Date(at).toISOString().replace('Z', '000Z'),
    trace: { ...footprint(), claimed_hour: -1, claimed_day: -1, score: 10, ...trace },
  };
}

/** A memory of `n` like actions, the last one at `end`, one every `gap` milliseconds. */
export function memoryOfMany(n: number, end: number, gap: number, parts: Partial<Trace> = {}): Memory {
  return memoryOf(Array.from({ length: n }, (_, i) => storedTrace(end - (n - 1 - i) * gap, parts)));
}
