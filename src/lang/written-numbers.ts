/** Numbers as texts write them: «1,000.00», «1.000,00», «75.000». */

/** No group of thousands begins with a zero: «0,250» has decimals. */
const BELOW_ONE = /^-?0,/;

/** 1,000.00 and 1.000,00 are 1000; NaN if the text is not a number. */
export function numberOf(text: string): number {
  const digits = text.replace(/[^\d.,-]/g, '');
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  const isGroup = digits.length - comma === 4 && point < 0 && !BELOW_ONE.test(digits);
  const isCommaDecimal = comma > point && !isGroup && digits.indexOf(',') === comma;
  // «1.318.277»: several points part groups of thousands.
  if (comma < 0 && digits.indexOf('.') !== point) return Number.parseFloat(digits.replaceAll('.', ''));
  const plain = isCommaDecimal ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  return Number.parseFloat(plain);
}

/** Three digits behind one sign. */
const THOUSANDS_OR_DECIMALS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Every value that a number may have as it is written, the largest first: «3.150» and «3,150» are 3150 in one country and 3.15 in another.
 * Whatever is not a digit, point or comma is left out, signs too. Empty if the text is not a number.
 */
export function valuesOfNumber(written: string): readonly number[] {
  const bare = written.replace(/[^\d.,]/g, '').replace(/[.,]$/, '');
  if (!/^\d/.test(bare)) return [];
  if (THOUSANDS_OR_DECIMALS.test(bare)) return [Number(bare.replace(/[.,]/, '')), Number(bare.replace(',', '.'))];
  return [numberOf(bare)];
}
