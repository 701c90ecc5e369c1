/**
 * A Bloom filter of revocations: «no» is certain, «maybe» is checked in the database. It grows by adding slices, each
 * twice as large as the one before, so that nothing has to be read again. Pure but for its own memory.
 */
import type { RevocationMode } from '../../storage/ports/auth.ts';

/** Two hash values of one entry. */
export interface Probe {
  a: number;
  b: number;
}

export interface Slice {
  /** Number of bits, a power of two. */
  bits: Uint32Array;
  /** Number of entries. */
  count: number;
}

/** 28.8 bits per entry and 20 probes: one false «maybe» in a million, 3.6 MB for a million revocations. */
const BITS_EACH = 28.8;
const PROBES = 20;
/** 256 KB: 72,000 revocations before it grows. */
const FIRST_BITS = 2 ** 21;
const LARGEST_BITS = 2 ** 31;
const MODE_SALT: Readonly<Record<RevocationMode, number>> = { single: 0x243f6a88, subtree: 0x85a308d3 };

export class Bloom {
  readonly slices: Slice[];

  /** Sized for this many entries from the start. */
  constructor(expected = 0, slices: Slice[] = []) {
    this.slices = slices.length > 0 ? slices : [newSlice(sizeFor(expected))];
  }

  get count(): number {
    return this.slices.reduce((sum, slice) => sum + slice.count, 0);
  }

  add(probe: Probe): void {
    let slice = this.slices.at(-1)!;
    const size = slice.bits.length * 32;
    if (slice.count >= size / BITS_EACH) {
      slice = newSlice(Math.min(size * 2, LARGEST_BITS));
      this.slices.push(slice);
    }
    slice.count += 1;
    for (let n = 0; n < PROBES; n += 1) {
      const at = positionOf(probe, n, slice);
      slice.bits[at >>> 5]! |= 1 << (at & 31);
    }
  }

  has(probe: Probe): boolean {
    return this.slices.some((slice) => {
      for (let n = 0; n < PROBES; n += 1) {
        const at = positionOf(probe, n, slice);
        if ((slice.bits[at >>> 5]! & (1 << (at & 31))) === 0) return false;
      }
      return true;
    });
  }
}

/** Hashes a UUID as text. Its random digits are mixed, so that ids of one millisecond are spread out. */
export function probeOf(id: string, mode: RevocationMode): Probe {
  const hex = id.replaceAll('-', '');
  let a = MODE_SALT[mode];
  let b = a ^ 0x9e3779b9;
  for (let at = 0; at < 32; at += 8) {
    const word = Number.parseInt(hex.slice(at, at + 8), 16);
    a = mix(a ^ word);
    b = mix(Math.imul(b, 31) + word);
  }
  // Odd, so that the steps reach every position of a table whose size is a power of two.
  return { a, b: b | 1 };
}

/** Every entry that would revoke a token with this path: its own, or that of a subtree above it. */
export function probesOf(path: readonly string[]): Probe[] {
  return [probeOf(path.at(-1)!, 'single'), ...path.map((id) => probeOf(id, 'subtree'))];
}

function positionOf({ a, b }: Probe, n: number, { bits }: Slice): number {
  return (a + Math.imul(b, n)) & (bits.length * 32 - 1);
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function sizeFor(expected: number): number {
  let size = FIRST_BITS;
  while (size < expected * BITS_EACH && size < LARGEST_BITS) size *= 2;
  return size;
}

function newSlice(size: number): Slice {
  return { bits: new Uint32Array(size / 32), count: 0 };
}
