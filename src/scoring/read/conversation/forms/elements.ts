/** Elements with raw text between their tags, as models write them: no escapes, no rules for names. */

export interface Element {
  tag: string;
  /** `f` in `<invoke name="f">` and in `<function=f>`. */
  name: string | undefined;
  inner: string;
}

const OPENING = /\s{0,64}<(\w[\w|:-]{0,63})(?:\s{1,4}name="([^"<>]{1,128})"|=([^<>\s]{1,128}))?>/y;
const MAX_ELEMENTS = 64;

/**
 * The elements of which a text consists from `from` on, in order; null where anything else stands there. Of an element that holds one of
 * its own kind, the first end counts.
 */
export function elementsAt(text: string, from: number): Element[] | null {
  const found: Element[] = [];
  const { length } = text.trimEnd();
  let at = from;
  while (at < length) {
    OPENING.lastIndex = at;
    const [opening, tag = '', quoted, equal] = OPENING.exec(text) ?? [];
    if (opening === undefined || found.length === MAX_ELEMENTS) return null;
    const start = at + opening.length;
    const end = text.indexOf(`</${tag}>`, start);
    if (end < 0) return null;
    found.push({ tag, name: quoted ?? equal, inner: text.slice(start, end) });
    at = end + tag.length + 3;
  }
  return found;
}
