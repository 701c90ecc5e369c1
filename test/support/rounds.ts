/**
 * How often a test of races or of `kill -9` repeats: `TEST_ROUNDS`, or `by_default`, which is small and still finds the naive
 * designs. `npm run test:promises` sets it to what docs/performance.md promises.
 */
export function rounds(by_default: number): number {
  return Number(process.env['TEST_ROUNDS'] || by_default);
}

/**
 * Which share of the cases of a property a run tries: every `by_default`th of them, all of them with `TEST_ROUNDS` above 1, as
 * `npm run test:promises` sets it. A test that takes a share says why it is enough.
 */
export function everyNth(by_default: number): number {
  return rounds(1) > 1 ? 1 : by_default;
}
