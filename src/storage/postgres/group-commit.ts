/**
 * Concurrent `record()` calls share a statement, and so a commit, which is the expensive part. There is no timer: a
 * group leaves as soon as a slot is free, so a lone call waits for nobody and a busy service fills its groups by itself.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isPlainText } from '../../platform/odd-characters.ts';
import { pastJson } from '../../scoring/history/kept-past.ts';
import { WHOLE } from '../../scoring/kept-assessment.ts';
import { type RecordOutcome, RecordRefused, type ScoreRecord, StoreUnavailable } from '../ports.ts';
import type { Row } from './write-group.ts';

/** Writes the rows in one commit and answers for each, in order; rejects when it answers for all. */
export type WriteGroup = (rows: Row[]) => Promise<(RecordOutcome | Error)[]>;

export interface GroupLimits {
  /**
   * Groups in flight. One: to set a statement up takes the database as long as five to ten rows, and a second group on its
   * way waits for the first one's commit anyway. With two a busy service wrote smaller groups, and a tenth to a third fewer events.
   */
  groups: number;
  /** Rows of one group. */
  rows: number;
  /** JSON text of one group; a single larger record goes alone. */
  bytes: number;
  /** Rows and JSON text that may wait; beyond, calls are turned away at once. */
  waiting_rows: number;
  waiting_bytes: number;
  /** A row that waited longer than this is turned away unwritten: its caller has given up or soon will. */
  wait_ms: number;
}

const LIMITS: GroupLimits = {
  groups: 1,
  rows: 256,
  bytes: 4 * 2 ** 20,
  waiting_rows: 4_096,
  waiting_bytes: 128 * 2 ** 20,
  wait_ms: 2_000,
};

interface Waiting extends Row {
  /** Rows right behind this one that have to be in its group, and their JSON text. */
  following: number;
  following_bytes: number;
  since: number;
  resolve: (outcome: RecordOutcome) => void;
  reject: (error: Error) => void;
}

export interface Writer {
  record(record: ScoreRecord): Promise<RecordOutcome>;
  recordInOrder(records: readonly ScoreRecord[]): Promise<(RecordOutcome | Error)[]>;
  /** Records that wait for a group. */
  waiting(): number;
  /** Takes no more, and resolves when all that was taken is answered. */
  drain(): Promise<void>;
}

export function groupCommit(write: WriteGroup, limits: GroupLimits = LIMITS): Writer {
  const queue: Waiting[] = [];
  const flights = new Set<Promise<void>>();
  let is_closed = false;
  let waiting_bytes = 0;

  function take(): Waiting[] {
    const group: Waiting[] = [];
    let bytes = 0;
    let due = 0;
    while (queue.length > 0) {
      const row = queue[0]!;
      const size = sizeOf(row);
      const has_room = group.length + row.following < limits.rows && bytes + size + row.following_bytes <= limits.bytes;
      if (due === 0 && group.length > 0 && !has_room) break;
      due = row.following;
      queue.shift();
      waiting_bytes -= size;
      if (performance.now() - row.since > limits.wait_ms) {
        row.reject(new StoreUnavailable('the database is too slow at the moment; nothing was written, try again'));
      } else {
        group.push(row);
        bytes += size;
      }
    }
    // Always in the order of the keys: two groups that share keys then wait for each other in turn, never in a ring.
    return group.sort(byKey);
  }

  async function flush(group: Waiting[]): Promise<void> {
    try {
      const outcomes = await write(group);
      // After the next group is on its way: to answer all of these takes a while, in which the database need not be idle.
      setImmediate(() => {
        for (const [index, row] of group.entries()) {
          const outcome = outcomes[index]!;
          if (outcome instanceof Error) row.reject(outcome);
          else row.resolve(outcome);
        }
      });
    } catch (error) {
      for (const row of group) row.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function pump(): void {
    while (flights.size < limits.groups && queue.length > 0) {
      const group = take();
      if (group.length === 0) continue;
      const flight = flush(group).then(() => {
        flights.delete(flight);
        pump();
      });
      flights.add(flight);
    }
  }

  /** Why the record cannot be taken, `null` when it can. */
  function refusal(row: Row): Error | null {
    if (is_closed) return new StoreUnavailable('the store is closed');
    if (!isPlainText(row.record.event_id)) {
      return new RecordRefused('an event_id has U+0000 or half of a surrogate pair, which the database cannot keep');
    }
    if (queue.length < limits.waiting_rows && waiting_bytes + sizeOf(row) <= limits.waiting_bytes) return null;
    return new StoreUnavailable(`\`${queue.length}\` scores wait to be written already; try again`);
  }

  const add = (made: Row, following: number, following_bytes: number, since: number): Promise<RecordOutcome> =>
    new Promise((resolve, reject) => {
      const row = { ...made, following, following_bytes, since, resolve, reject };
      const error = refusal(row);
      if (error !== null) return reject(error);
      queue.push(row);
      waiting_bytes += sizeOf(row);
      // At the end of this turn of the loop, so that calls made together leave together.
      if (flights.size < limits.groups) queueMicrotask(pump);
    });

  return {
    record: (record) => add(toRow(record, 0), 0, 0, performance.now()),
    recordInOrder: (records) => {
      const rows = records.map(toRow);
      const since = performance.now();
      let bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
      const added = rows.map((row) => {
        bytes -= sizeOf(row);
        return add(row, rows.length - 1 - row.place, bytes, since);
      });
      return Promise.all(added.map((outcome) => outcome.catch((error: Error) => error)));
    },
    waiting: () => queue.length,
    async drain() {
      is_closed = true;
      while (flights.size > 0 || queue.length > 0) {
        pump();
        await Promise.all(flights);
      }
      // The answers of the last group.
      await nextTurn();
    },
  };
}

function toRow(record: ScoreRecord, place: number): Row {
  const { event, assessment, past, json } = record;
  return {
    record,
    event: json?.event ?? JSON.stringify(event),
    assessment: json?.assessment.kept ?? WHOLE.shorten(assessment),
    past: past === null ? null : (json?.past ?? pastJson(past)),
    place,
  };
}

function sizeOf(row: Row): number {
  return row.event.length + row.assessment.length + (row.past?.length ?? 0);
}

function byKey(a: Row, b: Row): number {
  return compare(a.record.customer_id, b.record.customer_id) || compare(a.record.event_id, b.record.event_id);
}

/** Half a surrogate pair, or what comes after all of them: there the order of UTF-16 is not that of code points. */
const HIGH = /[\ud800-\uffff]/;

/** As the database orders with `collate "C"`, which it does wherever keys are claimed. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (HIGH.test(a) && HIGH.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
