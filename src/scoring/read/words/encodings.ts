/** Decodes base64, hexadecimal and URL encoding, in which a parameter may disguise a value. Uses no platform API. */

const NO_DIGIT = 255;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Value of each base64 digit, in either alphabet, and of each hexadecimal one; by character code. */
const DIGIT = valuesOf([...ALPHABET, '-', '_'], (i) => (i < 64 ? i : i - 2));
const HEX_DIGIT = valuesOf([...'0123456789abcdefABCDEF'], (i) => (i < 16 ? i : i - 6));

function valuesOf(digits: readonly string[], valueAt: (i: number) => number): Uint8Array {
  const values = new Uint8Array(128).fill(NO_DIGIT);
  for (const [i, digit] of digits.entries()) values[digit.charCodeAt(0)] = valueAt(i);
  return values;
}

/** Bytes converted to text by one call; as its arguments they must fit on the stack. */
const AT_ONCE = 8_192;

/** Bytes or code units as text, one character each. */
function textOf(bytes: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    parts.push(String.fromCharCode.apply(null, bytes.subarray(from, from + AT_ONCE) as unknown as number[]));
  return parts.join('');
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{16,65536}/g;
const HEX_RUN = /(?:0x)?((?:[0-9a-fA-F]{2}){8,32768})/g;
/** Shortest run that is decoded at all, in characters: of base64, and eight bytes in hexadecimal. */
const LEAST_RUN = 16;

/** Whether the text has a run long enough to be decoded. Reads one character in sixteen if there is none. */
export function hasEncodedRun(text: string): boolean {
  // Every hexadecimal digit is a base64 digit too.
  return hasRunOf(DIGIT, text);
}

function hasRunOf(digits: Uint8Array, text: string): boolean {
  const inRun = (at: number): boolean => (digits[text.charCodeAt(at)] ?? NO_DIGIT) !== NO_DIGIT;
  // A run of sixteen covers one of the places 15, 31, 47 …: only only around those can a run be.
  for (let at = LEAST_RUN - 1; at < text.length; at += LEAST_RUN) {
    if (!inRun(at)) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && at - from < LEAST_RUN && inRun(from - 1)) from--;
    while (to < text.length && to - from < LEAST_RUN && inRun(to)) to++;
    if (to - from >= LEAST_RUN) return true;
  }
  return false;
}

/** The first decoded texts are returned one by one; the rest is joined into one text of many lines, which is read at once. */
const MAX_SINGLE = 32;

function readable(runs: readonly Uint8Array[]): string[] {
  const texts = runs.filter(isReadable).map(textOf);
  return texts.length <= MAX_SINGLE ? texts : [...texts.slice(0, MAX_SINGLE), texts.slice(MAX_SINGLE).join('\n')];
}

/** Text as people write it. A run that decodes to anything else was not encoded text. */
function isReadable(bytes: Uint8Array): boolean {
  if (bytes.length < 6) return false;
  let odd = 0;
  for (const unit of bytes) if (unit > 126 || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13)) odd++;
  return odd * 10 <= bytes.length;
}

function fromBase64(run: string): Uint8Array {
  const bytes = new Uint8Array((run.length * 6) >> 3);
  const digit = (at: number): number => DIGIT[run.charCodeAt(at)]!;
  let count = 0;
  let i = 0;
  // Four digits are three bytes.
  for (; i + 4 <= run.length; i += 4) {
    const three = (digit(i) << 18) | (digit(i + 1) << 12) | (digit(i + 2) << 6) | digit(i + 3);
    bytes[count++] = three >> 16;
    bytes[count++] = three >> 8;
    bytes[count++] = three;
  }
  let bits = 0;
  let held = 0;
  for (; i < run.length; i++) {
    held = ((held << 6) | digit(i)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (held >> bits) & 0xff;
  }
  return bytes;
}

function fromHex(run: string): Uint8Array {
  const bytes = new Uint8Array(run.length >> 1);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (HEX_DIGIT[run.charCodeAt(2 * i)]! << 4) | HEX_DIGIT[run.charCodeAt(2 * i + 1)]!;
  return bytes;
}

/** Every `%41` replaced; broken ones stay as they are. */
export function fromUrlEncoding(text: string): string {
  const first = text.indexOf('%');
  if (first < 0) return text;
  // Unit by unit: `replace` with a callback took ten times as long on 300,000 escapes.
  const units = new Uint16Array(text.length - first);
  let count = 0;
  for (let at = first; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const escaped = unit === PERCENT ? byteAt(text, at + 1) : NO_BYTE;
    units[count++] = escaped === NO_BYTE ? unit : escaped;
    if (escaped !== NO_BYTE) at += 2;
  }
  return text.slice(0, first) + textOf(units.subarray(0, count));
}

const PERCENT = 0x25;
const NO_BYTE = -1;

/** The byte in two hexadecimal digits. */
function byteAt(text: string, at: number): number {
  const high = HEX_DIGIT[text.charCodeAt(at)] ?? NO_DIGIT;
  const low = HEX_DIGIT[text.charCodeAt(at + 1)] ?? NO_DIGIT;
  return high === NO_DIGIT || low === NO_DIGIT ? NO_BYTE : (high << 4) | low;
}

/** Readable texts hidden in base64 runs of 16 characters and more. */
export function base64Texts(text: string): string[] {
  const runs = text.match(BASE64_RUN) ?? [];
  return readable(runs.map(fromBase64));
}

/** Readable texts hidden in runs of eight bytes and more in hexadecimal. */
export function hexTexts(text: string): string[] {
  const found: Uint8Array[] = [];
  // The pattern tries every place of a long base64 text; the check of one character in sixteen avoids that.
  if (!hasRunOf(HEX_DIGIT, text)) return [];
  for (const match of text.matchAll(HEX_RUN)) found.push(fromHex(match[1]!));
  return readable(found);
}

/** One letter size alone, as base32 has it; names of hosts keep no other. */
const BASE32_RUN = /(?<![A-Za-z0-9])(?:[A-Z2-7]{24,4096}|[a-z2-7]{24,4096})(?![A-Za-z0-9])/g;

function fromBase32(run: string): Uint8Array {
  const bytes = new Uint8Array((run.length * 5) >> 3);
  let count = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < run.length; i++) {
    const unit = run.charCodeAt(i);
    // Digits 2 to 7 follow the 26 letters.
    held = ((held << 5) | (unit < 65 ? unit - 24 : (unit & 31) - 1)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (held >> bits) & 0xff;
  }
  return bytes;
}

/** Readable texts hidden in runs of 24 characters and more of base32 (RFC 4648, section 6), of either letter size. */
export function base32Texts(text: string): string[] {
  return readable((text.match(BASE32_RUN) ?? []).map(fromBase32));
}
