/** An event's id of the system's random bytes: `crypto.randomUUID` loads all of WebCrypto first, a fifth of what a hook takes. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const DEVICE = '/dev/urandom';
const BYTES = 16;

/** A UUID of version 4 (RFC 9562). */
export function eventId(device: string = DEVICE): string {
  const bytes = bytesOf(device);
  if (bytes === null) return crypto.randomUUID();
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `null` where there is no such device: on Windows, and in a root folder that has a plain file or nothing in its place. */
function bytesOf(device: string): Buffer | null {
  let handle: number;
  try {
    handle = openSync(device, 'r');
  } catch {
    return null;
  }
  try {
    const bytes = Buffer.alloc(BYTES);
    return fstatSync(handle).isCharacterDevice() && readSync(handle, bytes) === BYTES ? bytes : null;
  } catch {
    return null;
  } finally {
    closeSync(handle);
  }
}
