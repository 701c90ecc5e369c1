/** Names in texts, found by a search without expressions: a name comes from an event and may hold any sign. */

/** What makes a name part of a longer one. */
interface Borders {
  /** Of the character before the name. */
  before?: RegExp;
  /** Of the two characters behind the name, from the first on. */
  behind?: RegExp;
}

/** The last words, of letters only, before an index of a text; at most `count`, in their order. */
export function wordsBefore(text: string, at: number, count: number): readonly string[] {
  return text
    .slice(0, at)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .slice(-count);
}

/**
 * Whether a name stands in a text outside any longer name. Cases must agree.
 *
 * @param borders what continues a name; by default letters, digits, `_` and `-`, as in identifiers
 */
export function standsAlone(name: string, text: string, borders: Borders = {}): boolean {
  const { before = /[\p{L}\p{N}_-]/u, behind = /^[\p{L}\p{N}_-]/u } = borders;
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!before.test(text.charAt(at - 1)) && !behind.test(text.slice(end, end + 2))) return true;
  }
  return false;
}
