/**
 * The filter as text for the cache, with a marker of its position in the log. The cache is not trusted: a snapshot carries
 * a message authentication code (HMAC-SHA-256) under a key that only Weir has, so that one which is truncated, altered or
 * forged is ignored, as is one from another log. One that is old is read, and the rest of the log is added to it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
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
  /** Times that an operator had every filter rebuilt from the log; a filter from before is not used. */
  rebuilds: number;
}

interface Header extends Marker {
  format: 2;
  slices: { words: number; count: number }[];
  mac: string;
}

export function writeSnapshot(marker: Marker, filter: Bloom, key: Buffer): string {
  const { last_log_id, stamp, entries, rebuilds } = marker;
  const slices = filter.slices.map(({ bits, count }) => ({ words: bits.length, count }));
  const data = Buffer.concat(
    filter.slices.map(({ bits }) => Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength)),
  );
  const facts = { format: 2 as const, last_log_id, stamp, entries, rebuilds, slices };
  const header: Header = { ...facts, mac: codeOf(JSON.stringify(facts), data, key).toString('hex') };
  return `${JSON.stringify(header)}\n${data.toString('base64')}`;
}

/** `null` when it was not written, whole, by a holder of this key. */
export function readSnapshot(text: string, key: Buffer): { marker: Marker; filter: Bloom } | null {
  const end = text.indexOf('\n');
  if (end < 0) return null;
  try {
    const { mac, ...facts } = JSON.parse(text.slice(0, end)) as Header;
    const data = Buffer.from(text.slice(end + 1), 'base64');
    const code = codeOf(JSON.stringify(facts), data, key);
    const given = Buffer.from(mac, 'hex');
    if (facts.format !== 2 || given.length !== code.length || !timingSafeEqual(given, code)) return null;
    let offset = data.byteOffset;
    const slices = facts.slices.map(({ words, count }) => {
      // Copied: the bytes of a Buffer need not be aligned to words.
      const bits = new Uint32Array(data.buffer.slice(offset, offset + words * 4));
      offset += words * 4;
      return { bits, count };
    });
    const { last_log_id, stamp, entries, rebuilds } = facts;
    return { marker: { last_log_id, stamp, entries, rebuilds }, filter: new Bloom(0, slices) };
  } catch {
    return null;
  }
}

function codeOf(facts: string, data: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(facts).update('\n').update(data).digest();
}
