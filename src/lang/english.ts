/** Forms of English words in sentences for people. */

/** `1 record`, `2 records`, `1 entry`, `2 entries`: a number with its noun. `many`: the plural where it is not `one` with an s. */
export const counted = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${count} ${Number(count) === 1 ? one : many}`;

/** The text with a capital at its beginning. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
