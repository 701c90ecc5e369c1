/**
 * How often a test of races or of `kill -9` repeats: `TEST_ROUNDS`, or `by_default`, which is small and still finds the naive
 * designs. `npm run test:promises` sets it to what docs/performance.md promises.
 */
export function rounds(by_default: number): number {
  return Number(process.env['TEST_ROUNDS'] || by_default);
}
