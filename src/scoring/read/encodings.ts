/** Disguises that a value may wear in a parameter: base64, hexadecimal and URL encoding, taken off without a platform. */

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

/** Bytes as text, one character each. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const unit of bytes) text += String.fromCharCode(unit);
  return text;
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{16,65536}/g;
const HEX_RUN = /(?:0x)?((?:[0-9a-fA-F]{2}){8,32768})/g;
/** Shortest run that is decoded at all, in characters: of base64, and eight bytes in hexadecimal. */
const LEAST_RUN = 16;

/** Is there a run long enough to be decoded? Looks at one character in sixteen where there is none. */
export function hasEncodedRun(text: string): boolean {
  // Every hexadecimal digit is a base64 digit too.
  const inRun = (at: number): boolean => (DIGIT[text.charCodeAt(at)] ?? NO_DIGIT) !== NO_DIGIT;
  // A run of sixteen covers one of the places 15, 31, 47 …: only around those it is worth to look.
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

/** More runs than this in one string are data of another kind, such as an image. */
const MAX_RUNS = 32;

/** Text as people write it: what decodes to anything else was no disguise. */
function isReadable(bytes: Uint8Array): boolean {
  if (bytes.length < 6) return false;
  let odd = 0;
  for (const unit of bytes) if (unit > 126 || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13)) odd++;
  return odd * 10 <= bytes.length;
}

function fromBase64(run: string): Uint8Array {
  const bytes = new Uint8Array((run.length * 6) >> 3);
  let bits = 0;
  let held = 0;
  let count = 0;
  for (let i = 0; i < run.length; i++) {
    held = ((held << 6) | DIGIT[run.charCodeAt(i)]!) & 0xffff;
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
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Readable texts hidden in base64 runs of 16 characters and more. */
export function base64Texts(text: string): string[] {
  const runs = text.match(BASE64_RUN) ?? [];
  return runs.slice(0, MAX_RUNS).map(fromBase64).filter(isReadable).map(textOf);
}

/** Readable texts hidden in runs of eight bytes and more in hexadecimal. */
export function hexTexts(text: string): string[] {
  const found: Uint8Array[] = [];
  for (const match of text.matchAll(HEX_RUN)) {
    if (found.length >= MAX_RUNS) break;
    found.push(fromHex(match[1]!));
  }
  return found.filter(isReadable).map(textOf);
}
