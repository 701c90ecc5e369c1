/**
 * The database's times, which have microseconds: a `Date` would lose three digits. Text in the form that `isoText`
 * (pool.ts) writes.
 */

/** Microseconds since 1970 as text. */
export function isoOf(microseconds: number): string {
  const ms = Math.floor(microseconds / 1_000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(microseconds - ms * 1_000).padStart(3, '0')}Z`;
}

const WHOLE_SECONDS = '2026-01-31T12:00:00'.length;

/** So many microseconds later. */
export function laterBy(time: string, microseconds: number): string {
  if (microseconds === 0) return time;
  const seconds = Date.parse(`${time.slice(0, WHOLE_SECONDS)}Z`);
  return isoOf(seconds * 1_000 + Number(time.slice(WHOLE_SECONDS + 1, -1)) + microseconds);
}
