/**
 * The key that protects all private keys at rest: `MASTER_KEY`, or one that is made once and kept in
 * `DATA_DIR/master.key`, readable by its owner only. Several nodes that share a database need the same key.
 */
import { createHmac, randomBytes, scrypt } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOrMakeSecret } from '../../platform/kept-secret.ts';

export interface MasterKey {
  /** Identifies a master key without revealing it. */
  id: string;
  /** 256 bits for AES-256-GCM. */
  key: Buffer;
}

/** Returns the master key; derives it once. */
export type GetMasterKey = () => Promise<MasterKey>;

const KEY_BYTES = 32;
/**
 * scrypt parameters: each guess at a pass phrase takes 32 MiB and some 60 ms. The salt separates this use from others.
 */
const SCRYPT = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
const SALT = 'weir master key 1';
const FILE_NAME = 'master.key';

const stretch = promisify<string, string, number, typeof SCRYPT, Buffer>(scrypt);

/** The text asked for last, and its key: a process asks for one key, for several purposes. */
let last: { text: string; key: Promise<MasterKey> } | null = null;

/** Derives the key from a text of any length. */
export function masterKeyFrom(text: string): Promise<MasterKey> {
  if (last?.text === text) return last.key;
  const key = derive(text);
  last = { text, key };
  key.catch(() => (last = null));
  return key;
}

async function derive(text: string): Promise<MasterKey> {
  const key = await stretch(text, SALT, KEY_BYTES, SCRYPT);
  return { id: createHmac('sha256', key).update('id').digest('hex').slice(0, 16), key };
}

/** A key for one purpose, from which the master key and the keys of other purposes do not follow: an HMAC of its name. */
export function derivedKey(master_key: GetMasterKey, purpose: string): () => Promise<Buffer> {
  return async () =>
    createHmac('sha256', (await master_key()).key)
      .update(purpose)
      .digest();
}

export interface MasterKeySettings {
  MASTER_KEY: string | null;
  DATA_DIR: string;
}

export function createMasterKey({ MASTER_KEY, DATA_DIR }: MasterKeySettings): GetMasterKey {
  let asked: Promise<MasterKey> | null = null;
  return () => {
    asked ??= (MASTER_KEY === null ? keptIn(DATA_DIR) : Promise.resolve(MASTER_KEY)).then(masterKeyFrom);
    // A failure is not cached: the disk may be back at the next call.
    asked.catch(() => (asked = null));
    return asked;
  };
}

async function keptIn(dir: string): Promise<string> {
  const make = (): string => randomBytes(KEY_BYTES).toString('base64url');
  return (await readOrMakeSecret(join(dir, FILE_NAME), make)).text;
}
