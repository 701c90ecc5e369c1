/**
 * Concurrent `record()` calls share a statement, and so a commit, which is the expensive part. There is no timer: a
 * group leaves as soon as a slot is free, so a single call does not wait for others and a busy service fills its groups
 * by itself.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../../platform/errors.ts';
import { isPlainText } from '../../../platform/json/odd-characters.ts';
import type { ScoreRecord } from '../../../records/record.ts';
import { type Keeping, pastJson, WHOLE } from '../../../records/texts.ts';
import { type RecordOutcome, RecordRefused } from '../../ports/storage.ts';
import type { Row } from './write-group.ts';

/**
 * Writes the rows in one commit and returns an outcome for each, in order; rejects when the outcome is the same error
 * for all.
 */
export type WriteGroup = (rows: Row[]) => Promise<(RecordOutcome | Error)[]>;

export interface GroupLimits {
  /**
   * Groups in flight. One: setting up a statement takes the database as long as five to ten rows, and a second group
   * would wait for the first one's commit anyway. With two groups a busy service wrote smaller ones, and a tenth to a
   * third fewer events.
   */
  groups: number;
  /** Rows of one group. */
  rows: number;
  /** JSON text of one group; a single larger record goes alone. */
  bytes: number;
  /** Rows and JSON text that may wait; further calls are refused immediately. */
  waiting_rows: number;
  waiting_bytes: number;
  /** A row that waited longer than this is refused unwritten: its caller has given up or soon will. */
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
  resolve: (outcome: RecordOutcome) => void;
  reject: (error: Error) => void;
}

/** Rows that have to be in one group: a single one, or consecutive ones. */
interface Together {
  rows: Waiting[];
  /** Length of their JSON text. */
  bytes: number;
  since: number;
}

export interface Writer {
  record(record: ScoreRecord): Promise<RecordOutcome>;
  recordInOrder(records: readonly ScoreRecord[]): Promise<(RecordOutcome | Error)[]>;
  /** Records that wait for a group. */
  waiting(): number;
  /** Accepts no more, and resolves when everything accepted is answered. */
  drain(): Promise<void>;
}

/** `texts`: how assessments are written; whole by default. */
export function groupCommit(
  write: WriteGroup,
  limits = LIMITS,
  texts: { readonly keeping: Keeping } = { keeping: WHOLE },
): Writer {
  const queue: Together[] = [];
  const flights = new Set<Promise<void>>();
  let is_closed = false;
  let waiting_rows = 0;
  let waiting_bytes = 0;

  function take(): Waiting[] {
    const group: Waiting[] = [];
    let group_bytes = 0;
    while (queue.length > 0) {
      const { rows, bytes, since } = queue[0]!;
      const has_room = group.length + rows.length <= limits.rows && group_bytes + bytes <= limits.bytes;
      if (group.length > 0 && !has_room) break;
      queue.shift();
      waiting_rows -= rows.length;
      waiting_bytes -= bytes;
      if (performance.now() - since > limits.wait_ms) {
        const error = new StoreUnavailable('the database is too slow at the moment; nothing was written, try again');
        for (const row of rows) row.reject(error);
      } else {
        group.push(...rows);
        group_bytes += bytes;
      }
    }
    // Always in the order of the keys, so that two groups that share keys cannot deadlock.
    return group.sort(byKey);
  }

  async function flush(group: Waiting[]): Promise<void> {
    try {
      const outcomes = await write(group);
      // After the next group was sent: answering all of these takes a while, in which the database need not be idle.
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

  /** Why rows of this many bytes cannot be accepted, `null` when they can. */
  function refusal(rows: number, bytes: number): Error | null {
    if (is_closed) return new StoreUnavailable('the store is closed');
    if (waiting_rows + rows <= limits.waiting_rows && waiting_bytes + bytes <= limits.waiting_bytes) return null;
    return new StoreUnavailable(`\`${waiting_rows}\` scores are already waiting to be written; try again`);
  }

  /** All of them, or none for lack of room; a row that the database cannot store is refused individually. */
  function add(given: Waiting[]): void {
    const rows = given.filter(isKeepable);
    const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    const error = refusal(rows.length, bytes);
    if (error !== null) {
      for (const row of rows) row.reject(error);
      return;
    }
    queue.push({ rows, bytes, since: performance.now() });
    waiting_rows += rows.length;
    waiting_bytes += bytes;
    // At the end of this iteration of the event loop, so that calls made together leave together.
    if (flights.size < limits.groups) queueMicrotask(pump);
  }

  return {
    record: (record) =>
      new Promise((resolve, reject) => add([{ ...toRow(record, 0, texts.keeping), resolve, reject }])),
    async recordInOrder(records) {
      const rows: Waiting[] = [];
      const outcomes = records.map(
        (record, place) =>
          new Promise<RecordOutcome | Error>((resolve) => {
            rows.push({ ...toRow(record, place, texts.keeping), resolve, reject: resolve });
          }),
      );
      add(rows);
      return Promise.all(outcomes);
    },
    waiting: () => waiting_rows,
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

function toRow(record: ScoreRecord, place: number, keeping: Keeping): Row {
  const { event, assessment, past, json } = record;
  return {
    record,
    event: json?.event ?? JSON.stringify(event),
    assessment: json?.assessment.kept(keeping) ?? keeping.shorten(assessment),
    past: past === null ? null : (json?.past ?? pastJson(past)),
    place,
  };
}

/** Rejects the waiting callers, if any. */
function isKeepable({ record, reject }: Waiting): boolean {
  if (isPlainText(record.event_id)) return true;
  reject(new RecordRefused('an event_id has U+0000 or a lone surrogate, which the database cannot store'));
  return false;
}

function sizeOf(row: Row): number {
  return row.event.length + row.assessment.length + (row.past?.length ?? 0);
}

function byKey(a: Row, b: Row): number {
  return compare(a.record.customer_id, b.record.customer_id) || compare(a.record.event_id, b.record.event_id);
}

/** A surrogate, or a character after all surrogates: there the order of UTF-16 differs from that of code points. */
const HIGH = /[\ud800-\uffff]/;

/** The order of `collate "C"`, which the database uses wherever keys are claimed. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (HIGH.test(a) && HIGH.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
