/** Unpacks what gzip or zlib packed, as far as a bound: enough to read code that is hidden so. */
import { Decompress } from 'fflate';

/** Characters that are unpacked; a longer text is cut there. */
const MAX_OUT = 64 * 1024;
/** Bytes that are taken at a time: DEFLATE makes at most a thousand of one, so that no more than 264 thousand come beyond the bound. */
const STEP = 256;

/** What gzip or zlib packed, `bytes` as characters; the first 64 thousand. `null` where it is no such data or ends too early. */
export function inflate(bytes: string): string | null {
  if (bytes === '') return null;
  const packed = Uint8Array.from(bytes, (character) => character.charCodeAt(0) & 255);
  let text = '';
  const unpacking = new Decompress((chunk) => {
    const room = MAX_OUT - text.length;
    if (room > 0) text += asCharacters(chunk.subarray(0, room));
  });
  try {
    for (let at = 0; at < packed.length && text.length < MAX_OUT; at += STEP)
      unpacking.push(packed.slice(at, at + STEP), at + STEP >= packed.length);
  } catch {
    return null;
  }
  return text;
}

/** Characters that are made by one call: an engine bounds the number of arguments. */
const PIECE = 4096;

function asCharacters(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return text;
}
