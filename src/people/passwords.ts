/** Passwords, kept as scrypt hashes. One at a time: each takes 32 MiB. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Mutex } from 'async-mutex';

/** As OWASP's password storage cheat sheet recommends for scrypt: 32 MiB and three passes. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

const stretch = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
const turn = new Mutex();

const hashWith = (password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  turn.runExclusive(() => stretch(password.normalize('NFKC'), salt, KEY_BYTES, cost));

/** `scrypt$N$r$p$salt$hash`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await hashWith(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes as long without a stored hash, so that the time does not tell who has a password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? '').split('$');
  const cost = stored === null ? COST : { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const key = await hashWith(password, Buffer.from(salt, 'base64url'), cost);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === key.length && timingSafeEqual(expected, key);
}
