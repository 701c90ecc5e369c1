/** SHA-256 (FIPS 180-4) over bytes in plain TypeScript, because this room is pure: for checksums of addresses, not for secrets. */

const PRIMES: readonly number[] = firstPrimes(64);

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

/** First 32 bits of the fraction. The square and cube roots of these primes have more exact bits than are used. */
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;

const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = [...INITIAL];
  for (let at = 0; at < padded.length; at += 64) addBlock(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setUint32(at * 4, word);
  return new Uint8Array(digest.buffer);
}

/** The words of the current block. Each is written before it is read, so no state carries over between blocks. */
const w = new Int32Array(64);

function addBlock(state: number[], view: DataView, at: number): void {
  for (let i = 0; i < 64; i += 1) w[i] = i < 16 ? view.getInt32(at + i * 4) : nextWord(i);
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[i]! + w[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + word) | 0;
}

function nextWord(i: number): number {
  const x = w[i - 15]!;
  const y = w[i - 2]!;
  const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
  const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
  return (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
}
