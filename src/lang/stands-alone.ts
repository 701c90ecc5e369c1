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

/** Letters of scripts that set no blank between words: beside a name in Latin letters they belong to another word. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/**
 * Whether a name stands in a text outside any longer name. Cases must agree.
 *
 * @param borders what continues a name; by default letters, digits, `_` and `-`, as in identifiers
 */
export function standsAlone(name: string, text: string, borders: Borders = {}): boolean {
  const { before = /[\p{L}\p{N}_-]/u, behind = /^[\p{L}\p{N}_-]/u } = borders;
  if (name === '') return false;
  const isLatin = ASCII_ONLY.test(name);
  const continues = (border: RegExp, sign: string): boolean =>
    border.test(sign) && !(isLatin && UNSPACED.test(sign.charAt(0)));
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!continues(before, text.charAt(at - 1)) && !continues(behind, text.slice(end, end + 2))) return true;
  }
  return false;
}
