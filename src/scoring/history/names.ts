/** Names as the memory keeps them: whole when short, as a hash when long, because a shortened one could be imitated. */
import { sha256 } from '../../ontology/validators/sha256.ts';

const LONGEST = 64;
const HASH_BYTES = 16;

/** UTF-8, with half of a surrogate pair as U+FFFD. There is no `TextEncoder` in a pure folder. */
function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return Uint8Array.from(bytes);
}

export function nameOf(text: string): string {
  if (text.length <= LONGEST) return text;
  const digest = sha256(utf8(text)).subarray(0, HASH_BYTES);
  return `#${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
