/** Secrets: the entropy of a text, the header of a JSON Web Token, and the form of a seed phrase. */

/** Shannon entropy in bits per character: 0 for one repeated character, about 3 for words, above 4 for random keys. */
export function entropy(text: string): number {
  // Keyed by code point: allocating a string per character dominates the time in texts with many candidates.
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether the text is random enough to be a key without any label. */
export const entropyAtLeast4 = (text: string): boolean => entropy(text) >= 4;

/** Whether the value after the first `:` or `=` is more than repeated filler. */
export function entropyOfValueAtLeast2And5Tenths(text: string): boolean {
  const at = text.search(/[:=]/);
  return (
    entropy(
      text
        .slice(at + 1)
        .trim()
        .replace(/^["']/, ''),
    ) >= 2.5
  );
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The decoded text (Latin-1, which suffices for a JOSE header); null if the input is not base64url. */
function decodeBase64Url(text: string): string | null {
  let decoded = '';
  let bits = 0;
  let width = 0;
  for (const character of text) {
    const value = BASE64URL.indexOf(character);
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xffff;
    width += 6;
    if (width >= 8) {
      width -= 8;
      decoded += String.fromCharCode((bits >> width) & 0xff);
    }
  }
  return decoded;
}

/** Whether the part before the first dot is a JOSE header: JSON with an `alg`. */
export function jwtHeaderJson(text: string): boolean {
  const decoded = decodeBase64Url(text.split('.', 1)[0]!);
  if (decoded === null) return false;
  try {
    const header: unknown = JSON.parse(decoded);
    return typeof header === 'object' && header !== null && typeof (header as { alg?: unknown }).alg === 'string';
  } catch {
    return false;
  }
}

/** Lengths of a BIP-39 mnemonic (words). */
const MNEMONIC_LENGTHS = [12, 15, 18, 21, 24];
/**
 * Whether the words after the introduction look like a BIP-39 mnemonic: a valid number of words, mostly different. (The
 * pattern of the detector excludes ordinary sentences.) The word list and its checksum are not used, because a phrase with one wrong word is still a secret.
 */
export function mnemonicWords(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replace(/^.*?\b(?:seed|recovery|mnemonic)(?: phrase)?\b/, '')
      .match(/[a-z]{3,8}/g) ?? [];
  return MNEMONIC_LENGTHS.some((length) => {
    const phrase = words.slice(0, length);
    return phrase.length === length && new Set(phrase).size >= length * 0.6;
  });
}
