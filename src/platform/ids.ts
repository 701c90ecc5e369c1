/** Ids and keys: how they are made and how they are recognised. */
import { hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Random bytes are fetched in bulk: fetching 16 costs as much as fetching a thousand, several times the rest of an id.
 */
const stock = new Uint8Array(4_096);
const BYTES_PER_ID = 16;
let used = stock.length;
let last_ms = 0;
let last_sequence = 0;

function takeRandom(): Uint8Array {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += BYTES_PER_ID;
  return stock.subarray(used - BYTES_PER_ID, used);
}

/** A new id: UUID version 7, so that ids made later sort later, also within a millisecond (RFC 9562, 6.2, method 1). */
export function newId(): string {
  const random = takeRandom();
  const now = Date.now();
  if (now > last_ms) {
    last_ms = now;
    // Half of the range is left for counting.
    last_sequence = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
  } else if (last_sequence === 0xffffffff) {
    last_ms += 1;
    last_sequence = 0;
  } else last_sequence += 1;
  return v7({ random, msecs: last_ms, seq: last_sequence });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The UUID in lower case, or `null` when the text is not a UUID. One customer has one spelling. */
export function parseUuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}

/** SHA-256 as lower-case hex. Enough for keys of 256 random bits: there is nothing to guess. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

const RANDOM_BYTES = 32;
const CHECKSUM_LENGTH = 6;

/**
 * A new API key: `weir_key_` + 43 characters of 256 random bits + 6 of checksum (base64url). The prefix lets secret
 * scanners find a leaked key, the checksum tells a mistyped one from a revoked one without asking the database.
 */
export function newApiKey(prefix: string): string {
  return newSecret(prefix, 'key');
}

/** The same for another kind of secret: `weir_<kind>_…`. */
export function newSecret(prefix: string, kind: string): string {
  const body = `${prefix}_${kind}_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  return body + checksum(body);
}

/** Printable ASCII without comma or quotes: one header value, however many proxies it passes. */
const API_KEY = /^[\x21\x23-\x26\x28-\x2b\x2d-\x7e]{16,256}$/;

/** Whether the text can be an API key at all: a cheap check before any look-up. */
export function isApiKeyShaped(text: string, prefix: string): boolean {
  if (!API_KEY.test(text)) return false;
  const head = `${prefix}_key_`;
  const is_ours = text.startsWith(head) && text.length === head.length + 43 + CHECKSUM_LENGTH;
  return !is_ours || checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

function checksum(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, CHECKSUM_LENGTH);
}
