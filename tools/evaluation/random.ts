/** Random numbers that are the same everywhere: an interval printed twice must be the same interval. */

const rotateLeft = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** xoshiro128** (Blackman and Vigna), seeded by splitmix32 as its authors advise. Returns integers in `[0, below)`. */
export function randomIntegers(seed: number): (below: number) => number {
  const splitmix = (): number => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = seed;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let [a, b, c, d] = [splitmix(), splitmix(), splitmix(), splitmix()];
  return (below) => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotateLeft(d, 11);
    return Math.floor((result / 0x1_0000_0000) * below);
  };
}
