/** Times as the graph keeps them: whole microseconds since 1970, which fit a number exactly until the year 2255. */

const MICROS = 1_000;

/** Of ISO 8601 with up to six digits of a second, UTC. */
export function toMicros(iso: string): number {
  const digits = /\.(\d{1,6})/.exec(iso)?.[1] ?? '';
  const whole = Date.parse(iso.replace(/\.\d+/, ''));
  return whole * MICROS + Number(digits.padEnd(6, '0'));
}

/** As PostgreSQL answers them. */
export function toIso(micros: number): string {
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const second = new Date((micros - fraction) / MICROS).toISOString().slice(0, 19);
  return `${second}.${String(fraction).padStart(6, '0')}Z`;
}
