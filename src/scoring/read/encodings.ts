/** Disguises that a value may wear in a parameter: base64, hexadecimal and URL encoding, taken off without a platform. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGIT = new Map<string, number>([...ALPHABET].map((character, i) => [character, i]));
DIGIT.set('-', 62).set('_', 63);

const BASE64_RUN = /[A-Za-z0-9+/_-]{16,65536}/g;
const HEX_RUN = /(?:0x)?((?:[0-9a-fA-F]{2}){8,32768})/g;
/** More runs than this in one string are data of another kind, such as an image. */
const MAX_RUNS = 32;

/** Text as people write it: what decodes to anything else was no disguise. */
function isReadable(text: string): boolean {
  if (text.length < 6) return false;
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 126 || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13)) odd++;
  }
  return odd * 10 <= text.length;
}

function fromBase64(run: string): string {
  let bits = 0;
  let held = 0;
  let text = '';
  for (const character of run) {
    held = ((held << 6) | DIGIT.get(character)!) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((held >> bits) & 0xff);
  }
  return text;
}

function fromHex(run: string): string {
  let text = '';
  for (let i = 0; i + 1 < run.length; i += 2) text += String.fromCharCode(Number.parseInt(run.slice(i, i + 2), 16));
  return text;
}

/** Every `%41` replaced; broken ones stay as they are. */
export function fromUrlEncoding(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Readable texts hidden in base64 runs of 16 characters and more. */
export function base64Texts(text: string): string[] {
  const runs = text.match(BASE64_RUN) ?? [];
  return runs.slice(0, MAX_RUNS).map(fromBase64).filter(isReadable);
}

/** Readable texts hidden in runs of eight bytes and more in hexadecimal. */
export function hexTexts(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(HEX_RUN)) {
    if (found.length >= MAX_RUNS) break;
    found.push(fromHex(match[1]!));
  }
  return found.filter(isReadable);
}
