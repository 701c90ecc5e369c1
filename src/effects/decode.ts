/** Decoders that code uses to hide other code. Bytes become Latin-1 characters: enough to read what will run. */
import { XML_ENTITIES } from '../lang/markup.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE = new Map<string, number>([...ALPHABET].map((c, i) => [c, i]));
VALUE.set('-', 62).set('_', 63);

/** `null` when the text is not base64. White space is skipped, padding optional, both alphabets accepted. */
export const decodeBase64 = (text: string): string | null => bytesOfBase64(text)?.replaceAll('\u0000', '') ?? null;

/** The same with every byte, as characters. */
export const bytesOfBase64 = (text: string): string | null => bytesOfDigits(text.replace(/[=\n\r ]/g, ''), 6, VALUE);

const VALUE_32 = new Map<string, number>([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'].map((c, i) => [c, i]));

/** `null` when the text is not base32. */
export const decodeBase32 = (text: string): string | null => bytesOfDigits(text.replace(/={1,6}$/, ''), 5, VALUE_32);

/** The bytes of digits that hold `width` bits each, as characters; `null` where one is none. */
function bytesOfDigits(digits: string, width: number, values: ReadonlyMap<string, number>): string | null {
  let bits = 0;
  let held = 0;
  const out: string[] = [];
  for (const c of digits) {
    const value = values.get(c);
    if (value === undefined) return null;
    bits = ((bits << width) | value) & 0xffff;
    held += width;
    if (held >= 8) {
      held -= 8;
      out.push(String.fromCharCode((bits >> held) & 0xff));
    }
  }
  return out.join('');
}

/** `null` when the text is not hexadecimal; `\x41`, `0x41` and separators are accepted. */
export const decodeHex = (text: string): string | null => bytesOfHex(text)?.replaceAll('\u0000', '') ?? null;

/** The same with every byte, as characters. */
export function bytesOfHex(text: string): string | null {
  const digits = text.replace(/\\x|0x|[\s:,]/g, '');
  if (digits.length < 2 || digits.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(digits)) return null;
  const out: string[] = [];
  for (let i = 0; i < digits.length; i += 2) out.push(String.fromCharCode(Number.parseInt(digits.slice(i, i + 2), 16)));
  return out.join('');
}

/** `%41` of addresses; what is no such escape stays. */
export function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** `&#65;`, `&#x41;` and the entities of XML. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (all, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? codePoint(Number.parseInt(decimal ?? hex!, decimal === undefined ? 16 : 10))
        : (XML_ENTITIES.get(name) ?? all),
  );
}

export function encodeBase64(text: string): string {
  const out: string[] = [];
  for (let i = 0; i < text.length; i += 3) {
    const bits =
      ((text.charCodeAt(i) & 255) << 16) | ((text.charCodeAt(i + 1) & 255) << 8) | (text.charCodeAt(i + 2) & 255);
    const count = Math.min(3, text.length - i);
    for (let j = 0; j < 4; j++) out.push(j <= count ? ALPHABET[(bits >> (18 - 6 * j)) & 63]! : '=');
  }
  return out.join('');
}

export function encodeHex(text: string): string {
  return [...text].map((c) => (c.charCodeAt(0) & 255).toString(16).padStart(2, '0')).join('');
}

export function rot13(text: string): string {
  return text.replace(/[a-zA-Z]/g, (c) => {
    const base = c <= 'Z' ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base);
  });
}

export function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Escapes of C-like strings: `\n`, `\x41`, `\u0041`, `\101`. Unknown escapes keep their character. */
export function unescapeString(body: string): string {
  if (!body.includes('\\')) return body;
  return body.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|([0-7]{1,3})|(\r?\n)|([\s\S]))/g,
    (_all, hex?: string, brace?: string, four?: string, octal?: string, newline?: string, other?: string) => {
      const code = hex ?? brace ?? four;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8));
      if (newline !== undefined) return '';
      return SIMPLE[other!] ?? other!;
    },
  );
}

const SIMPLE: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
};

export function codePoint(code: number): string {
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
