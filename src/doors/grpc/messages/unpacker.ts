/**
 * Decompresses messages, a few of each customer at a time. The length of a message is unknown until it is decompressed:
 * it reserves room for the longest possible one, and the next message uses what is left.
 */
import type { Intake } from '../../../platform/http/intake.ts';

/** Messages of one customer at a time. zlib works in as many threads as this. */
const AT_ONCE = 4;
/** How often a message that waits for room checks when no other event would tell. */
const ROOM_MS = 20;

export interface Packed {
  customer_id: string;
  /** The bytes that it may take beyond those it counts for already. */
  most_bytes: number;
  /** Waits for room without limit; otherwise only for other messages that are being decompressed. */
  may_wait: boolean;
  /** The call has ended. */
  isOver(): boolean;
  /** How many of `most_bytes` stay counted for the decompressed message, which the caller releases. */
  keep(bytes: Buffer): number;
}

/** Rejects as `Intake.enter` throws; with `CallOver` when the call ends before its turn. */
export type Unpack = (packed: Packed, unpack: () => Promise<Buffer>) => Promise<Buffer>;

export class CallOver extends Error {
  override name = 'CallOver';
}

interface Waiting extends Packed {
  begin(): void;
  refuse(error: unknown): void;
}

interface Line {
  running: number;
  waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
}

export function createUnpacker(intake: Pick<Intake, 'enter' | 'leave'>): Unpack {
  const lines = new Map<string, Line>();

  const advance = (customer_id: string, line: Line): void => {
    clearTimeout(line.timer);
    while (line.running < AT_ONCE) {
      const next = line.waiting[0];
      if (next === undefined) break;
      try {
        if (next.isOver()) throw new CallOver();
        intake.enter(customer_id, next.most_bytes);
        line.running += 1;
        next.begin();
      } catch (error) {
        const is_over = error instanceof CallOver;
        // The messages being decompressed now will be shorter than the bound.
        if (!is_over && line.running > 0) return;
        if (!is_over && next.may_wait) {
          line.timer = setTimeout(advance, ROOM_MS, customer_id, line);
          return;
        }
        next.refuse(error);
      }
      line.waiting.shift();
    }
    if (line.running === 0 && line.waiting.length === 0) lines.delete(customer_id);
  };

  return async (packed, unpack) => {
    const { customer_id, most_bytes } = packed;
    const line = lines.get(customer_id) ?? { running: 0, waiting: [], timer: undefined };
    lines.set(customer_id, line);
    await new Promise<void>((begin, refuse) => {
      line.waiting.push({ ...packed, begin, refuse });
      advance(customer_id, line);
    });
    let kept = 0;
    try {
      const bytes = await unpack();
      kept = packed.keep(bytes);
      return bytes;
    } finally {
      intake.leave(customer_id, most_bytes - kept);
      line.running -= 1;
      advance(customer_id, line);
    }
  };
}
