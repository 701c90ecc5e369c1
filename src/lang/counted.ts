/** `1 record`, `2 records`, `1 entry`, `2 entries`: a number with its noun. `many`: the plural where it is not `one` with an s. */
export const counted = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${count} ${Number(count) === 1 ? one : many}`;
