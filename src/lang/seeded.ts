/**
 * Numbers from 0 to below 1 in an order that the seed decides: Mulberry32 by Tommy Ettinger (public domain). For samples, forecasts
 * and tests that can be repeated; never for keys.
 */
export function seededNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
