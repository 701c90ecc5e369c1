/** Labelled records of one or several files, each with the event as a door reads it. */
import { type ReadEvent, readEvent } from '../../src/events/read-event.ts';
import type { Json, JsonObject } from '../../src/lang/json.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { WeirError } from '../../src/platform/errors.ts';
import { isBlank, type Line, openInput } from '../../src/platform/terminal/input.ts';
import { startProgress } from '../../src/platform/terminal/progress.ts';
import { MAX_LINE_BYTES, parseLine } from '../../src/platform/terminal/read-record.ts';
import { type LabelledRecord, readLabelled } from './labelled.ts';

/** An event without a timestamp takes place on a working day at noon: a run tomorrow must equal a run today. */
const NOON: Clock = { now: () => Date.UTC(2026, 0, 14, 12), ticks: () => 0 };

export interface ReadRecord {
  record: LabelledRecord;
  /** Normalised, with the hashes that the server makes. */
  read: ReadEvent;
}

export interface ReadOptions {
  /** Records of other sources are passed over; absent: all are read. */
  sources?: readonly string[] | undefined;
}

/** Reads one event as a door does. Throws `invalid` with all problems of the event. */
export const readSent = (event: Json, has_odd_characters: boolean | null = null): ReadEvent =>
  readEvent({ value: event, has_odd_characters }, NOON);

function readLine(line: Line, { sources }: ReadOptions): ReadRecord | null {
  const { value, has_odd_characters } = parseLine(line);
  const record = readLabelled(value, line.number);
  if (sources !== undefined && !sources.includes(record.source)) return null;
  return { record, read: readSent(record.event as JsonObject, has_odd_characters) };
}

/**
 * Hands over each record of the files, in order. A line that is not a labelled record is named on standard error.
 *
 * @returns how many lines were refused
 */
export async function eachRecord(
  files: readonly string[],
  options: ReadOptions,
  take: (one: ReadRecord) => void,
): Promise<number> {
  let refused = 0;
  for (const file of files) {
    const input = await openInput(file, MAX_LINE_BYTES);
    const progress = startProgress(input);
    const where = files.length > 1 ? `${file}: ` : '';
    try {
      for await (const line of input.lines) {
        if (isBlank(line)) continue;
        try {
          const one = readLine(line, options);
          if (one !== null) take(one);
        } catch (error) {
          if (!(error instanceof WeirError)) throw error;
          refused += 1;
          process.stderr.write(`weir: ${where}line ${line.number}: ${error.detail}\n`);
        }
        progress.tick();
      }
    } finally {
      progress.stop();
    }
  }
  return refused;
}

/** All records at once, for measures that compare or group them. */
export async function allRecords(
  files: readonly string[],
  options: ReadOptions,
): Promise<{ records: ReadRecord[]; refused: number }> {
  const records: ReadRecord[] = [];
  const refused = await eachRecord(files, options, (one) => void records.push(one));
  return { records, refused };
}
