/**
 * The filter as text for the cache, with a marker of its position in the log. A snapshot that is truncated, altered or
 * from another log is ignored; one that is old is read, and the rest of the log is added to it.
 */
import { createHash } from 'node:crypto';
import { Bloom } from './bloom.ts';

/** The position of a filter in the log. */
export interface Marker {
  last_log_id: number;
  /**
   * Marker of the row `last_log_id`; `null` when the log was empty. It tells one history of the database from another.
   */
  stamp: string | null;
  /** Number of revocations in it. */
  entries: number;
}

interface Header extends Marker {
  format: 1;
  slices: { words: number; count: number }[];
  sha256: string;
}

export function writeSnapshot(marker: Marker, filter: Bloom): string {
  const { last_log_id, stamp, entries } = marker;
  const slices = filter.slices.map(({ bits, count }) => ({ words: bits.length, count }));
  const data = Buffer.concat(
    filter.slices.map(({ bits }) => Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength)),
  );
  const facts = { format: 1 as const, last_log_id, stamp, entries, slices };
  const header: Header = { ...facts, sha256: checksum(JSON.stringify(facts), data) };
  return `${JSON.stringify(header)}\n${data.toString('base64')}`;
}

/** `null` when it is incomplete. */
export function readSnapshot(text: string): { marker: Marker; filter: Bloom } | null {
  const end = text.indexOf('\n');
  if (end < 0) return null;
  try {
    const { sha256, ...facts } = JSON.parse(text.slice(0, end)) as Header;
    const data = Buffer.from(text.slice(end + 1), 'base64');
    if (facts.format !== 1 || checksum(JSON.stringify(facts), data) !== sha256) return null;
    let offset = data.byteOffset;
    const slices = facts.slices.map(({ words, count }) => {
      // Copied: the bytes of a Buffer need not be aligned to words.
      const bits = new Uint32Array(data.buffer.slice(offset, offset + words * 4));
      offset += words * 4;
      return { bits, count };
    });
    const { last_log_id, stamp, entries } = facts;
    return { marker: { last_log_id, stamp, entries }, filter: new Bloom(0, slices) };
  } catch {
    return null;
  }
}

function checksum(facts: string, data: Buffer): string {
  return createHash('sha256').update(facts).update(data).digest('hex');
}
