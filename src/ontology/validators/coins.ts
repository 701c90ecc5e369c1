/** Bitcoin addresses: Base58Check (1…, 3…) and Bech32 or Bech32m (bc1…). */
import { sha256 } from './sha256.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** One version byte, twenty bytes of hash, four bytes of checksum. */
const ADDRESS_BYTES = 25;

export const base58CheckOrBech32 = (text: string): boolean =>
  /^bc1/i.test(text) ? isBech32(text) : isBase58Check(text);

function isBase58Check(text: string): boolean {
  const bytes = decodeBase58(text);
  if (bytes === null) return false;
  const checksum = sha256(sha256(bytes.subarray(0, ADDRESS_BYTES - 4)));
  return bytes.subarray(ADDRESS_BYTES - 4).every((byte, at) => byte === checksum[at]);
}

/** The bytes of an address; null if the text is not a base-58 number of that size. */
function decodeBase58(text: string): Uint8Array | null {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  for (const character of text) {
    let carry = BASE58.indexOf(character);
    if (carry < 0) return null;
    for (let at = ADDRESS_BYTES - 1; at >= 0; at -= 1) {
      carry += 58 * bytes[at]!;
      bytes[at] = carry & 0xff;
      carry >>= 8;
    }
    if (carry > 0) return null;
  }
  return bytes;
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Valid checksums: 1 for Bech32 (BIP-173), the other for Bech32m (BIP-350). */
const BECH32_SUMS = [1, 0x2bc830a3];
/** The prefix `bc`, expanded: high bits, zero, low bits. */
const PREFIX = [3, 3, 0, 2, 3];

function isBech32(text: string): boolean {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return false;
  let sum = 1;
  const values = [...text.toLowerCase().slice(3)].map((character) => BECH32.indexOf(character));
  if (values.includes(-1)) return false;
  for (const value of [...PREFIX, ...values]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [at, term] of GENERATOR.entries()) if ((top >>> at) & 1) sum ^= term;
  }
  return BECH32_SUMS.includes(sum);
}
