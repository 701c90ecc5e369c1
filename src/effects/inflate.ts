/** Takes apart what gzip, zlib or raw DEFLATE packed (RFC 1950, 1951, 1952), as far as a bound: enough to read code that is hidden so. */

/** Characters that are unpacked; a longer text is cut there. */
const MAX_OUT = 64 * 1024;
const MAX_BITS = 15;
/** Order in which the lengths of the codes for lengths are told. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const FAR_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const FAR_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const END = 256;
const LITERALS = 288;

/** How many codes there are of each length, and the symbols in the order of their codes. */
interface Codes {
  counts: Uint16Array;
  symbols: Uint16Array;
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const next = new Uint16Array(MAX_BITS + 2);
  for (let i = 1; i <= MAX_BITS; i++) next[i + 1] = next[i]! + counts[i]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length > 0) symbols[next[length]!++] = symbol;
  return { counts, symbols };
}

const FIXED = codesOf(Array.from({ length: LITERALS }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
const FIXED_FAR = codesOf(Array.from({ length: 30 }, () => 5));

class Inflater {
  readonly #packed: string;
  readonly #out: number[] = [];
  #at: number;
  #held = 0;
  #bits = 0;

  constructor(packed: string, at: number) {
    this.#packed = packed;
    this.#at = at;
  }

  /** Throws `RangeError` where the text is no such data. */
  run(): string {
    for (let isLast = false; !isLast && this.#out.length < MAX_OUT; ) {
      isLast = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === 0) this.#copyStored();
      else if (kind === 1) this.#unpack(FIXED, FIXED_FAR);
      else if (kind === 2) this.#unpack(...this.#readCodes());
      else throw new RangeError('no block');
    }
    const pieces: string[] = [];
    for (let i = 0; i < this.#out.length; i += 4096) pieces.push(String.fromCharCode(...this.#out.slice(i, i + 4096)));
    return pieces.join('');
  }

  #take(count: number): number {
    while (this.#bits < count) {
      if (this.#at >= this.#packed.length) throw new RangeError('cut');
      this.#held |= (this.#packed.charCodeAt(this.#at++) & 255) << this.#bits;
      this.#bits += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#bits -= count;
    return value;
  }

  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_BITS; length++) {
      code |= this.#take(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + (code - first)]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('no code');
  }

  #copyStored(): void {
    this.#held = 0;
    this.#bits = 0;
    const length = this.#take(16);
    this.#take(16);
    for (let i = 0; i < length && this.#out.length < MAX_OUT; i++) this.#out.push(this.#take(8));
  }

  #readCodes(): [Codes, Codes] {
    const literals = this.#take(5) + 257;
    const fars = this.#take(5) + 1;
    const told = this.#take(4) + 4;
    const own = new Array<number>(ORDER.length).fill(0);
    for (let i = 0; i < told; i++) own[ORDER[i]!] = this.#take(3);
    const codes = codesOf(own);
    const lengths: number[] = [];
    while (lengths.length < literals + fars) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) lengths.push(symbol);
      else {
        const repeated = symbol === 16 ? (lengths.at(-1) ?? 0) : 0;
        const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
        for (let i = 0; i < times; i++) lengths.push(repeated);
      }
    }
    return [codesOf(lengths.slice(0, literals)), codesOf(lengths.slice(literals, literals + fars))];
  }

  #unpack(literals: Codes, fars: Codes): void {
    while (this.#out.length < MAX_OUT) {
      const symbol = this.#symbol(literals);
      if (symbol === END) return;
      if (symbol < END) {
        this.#out.push(symbol);
        continue;
      }
      const base = LENGTH_BASE[symbol - 257];
      if (base === undefined) throw new RangeError('no length');
      const length = base + this.#take(LENGTH_EXTRA[symbol - 257]!);
      const far = this.#symbol(fars);
      const from = this.#out.length - (FAR_BASE[far] ?? Number.NaN) - this.#take(FAR_EXTRA[far] ?? 0);
      if (!(from >= 0)) throw new RangeError('too far');
      for (let i = 0; i < length && this.#out.length < MAX_OUT; i++) this.#out.push(this.#out[from + i]!);
    }
  }
}

/** Where the packed data begin, behind the header of gzip or zlib. */
function startOf(bytes: string): number {
  if (!bytes.startsWith('\u001f\u008b')) return 2;
  const flags = bytes.charCodeAt(3);
  let at = 10;
  if (flags & 4) at += 2 + bytes.charCodeAt(at) + 256 * bytes.charCodeAt(at + 1);
  for (const flag of [8, 16]) if (flags & flag) at = bytes.indexOf('\0', at) + 1;
  return flags & 2 ? at + 2 : at;
}

/** What gzip or zlib packed, `bytes` as characters; the first 64 thousand. `null` where it is no such data or ends too early. */
export function inflate(bytes: string): string | null {
  try {
    return new Inflater(bytes, startOf(bytes)).run();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
