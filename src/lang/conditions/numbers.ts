/** Numbers that an event gives as text. */

/** Longest text that is read as a number. */
const MAX_LENGTH = 64;

/** `1200`, `-12.5`, `1e6`, and thousands in groups: `1,200,000.5`, `1_200`, `1'200`, `1 200`. */
const NUMBER = /^[+-]?(?:\d{1,3}(?:([,_' ])\d{3})(?:\1\d{3}){0,10}|\d{1,40})(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/i;

/**
 * The value as a number: itself, or the number that a text spells. Undefined for everything else, `NaN` included. A tool often
 * takes an amount as text, so that a rule about amounts could otherwise be evaded by quoting them.
 */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const text = value.trim();
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text.replace(/[,_' ]/g, ''));
  return Number.isFinite(number) ? number : undefined;
}
