/** Bounds in lines of code: two lines that differ in their numbers only, and how much the one bounds less. */

/** A bound that grows so much bounds nothing. */
const FAR_MORE = 50;
const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};
const NUMBER = /(\d[\d_]{0,15})(ms\b|[smhdwy]\b)?/i;

/** The line without its numbers and their units: `expiresIn: '15m'` and `expiresIn: '10y'` are the same. */
export const withoutNumbers = (line: string): string =>
  line
    .trim()
    .replace(/\d[\d_]{0,15}(?:ms|[smhdwy])\b/g, '0')
    .replace(/[\d_]+/g, '0');

/** The first of the lines that are the same apart from their numbers, by what they have in common. */
export function firstOfEach(lines: readonly string[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const line of lines) {
    const form = withoutNumbers(line);
    if (!first.has(form)) first.set(form, line);
  }
  return first;
}

/** Whether the first number of a line bounds far less than that of the line before. */
export const isFarMore = (line: string, before: string): boolean => amountIn(line) >= FAR_MORE * amountIn(before);

function amountIn(line: string): number {
  const [, digits = '0', unit = ''] = NUMBER.exec(line) ?? [];
  return (Number(digits.replaceAll('_', '')) || 0) * (SECONDS[unit.toLowerCase()] ?? 1);
}
