/** The admin keys of the auth services that this process started, by origin, so that a call to one of them is an operator's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const keys = new Map<string, string>();

/** Learns the key that a start has made in its data directory; a server without one is left out. */
export function learnAdminKey(auth_url: string, data_dir: string): string {
  try {
    const key = readFileSync(join(data_dir, 'admin-key'), 'utf8').trim();
    keys.set(new URL(auth_url).origin, key);
    return key;
  } catch {
    return '';
  }
}

/** `Authorization` for a URL; empty where no key is known. */
export function adminHeader(url: string): { authorization?: string } {
  const key = keys.get(new URL(url).origin);
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
