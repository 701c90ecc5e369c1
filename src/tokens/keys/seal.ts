/**
 * Private keys at rest: envelope encryption. Each private key is encrypted under a data key of its own, and only that
 * data key under the master key, so that a new master key changes the envelopes and no private key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { WeirError } from '../../platform/errors.ts';
import type { SealedKey } from '../../storage/ports/auth.ts';
import type { MasterKey } from './master-key.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;

/** The owner of the key; bound to the ciphertext, so that one row cannot replace another. */
export interface KeyName {
  key_id: string;
  customer_id: string;
}

/** `private_key`: PKCS #8, DER. */
export function sealKey(master: MasterKey, name: KeyName, private_key: Buffer): SealedKey {
  const data_key = randomBytes(DATA_KEY_BYTES);
  return {
    private_key: encrypt(data_key, private_key, `private ${name.customer_id} ${name.key_id}`),
    data_key: encrypt(master.key, data_key, envelope(name)),
    master_key_id: master.id,
  };
}

/** Throws `unavailable` when the master key is a different one or the row was altered. */
export function openKey(master: MasterKey, name: KeyName, sealed: SealedKey): Buffer {
  const data_key = openEnvelope(master, name, sealed);
  return decrypt(data_key, sealed.private_key, `private ${name.customer_id} ${name.key_id}`);
}

/** The same data key under another master key. */
export function rewrapKey(from: MasterKey, to: MasterKey, name: Pick<KeyName, 'key_id'>, sealed: SealedKey) {
  return { data_key: encrypt(to.key, openEnvelope(from, name, sealed), envelope(name)), master_key_id: to.id };
}

function openEnvelope(master: MasterKey, name: Pick<KeyName, 'key_id'>, sealed: SealedKey): Buffer {
  if (sealed.master_key_id !== master.id) {
    throw unusable(
      `the signing key is encrypted under the master key \`${sealed.master_key_id}\` and this process has \`${master.id}\`: set the MASTER_KEY it was made with, or run \`weir keys rewrap\``,
    );
  }
  return decrypt(master.key, sealed.data_key, envelope(name));
}

const envelope = ({ key_id }: Pick<KeyName, 'key_id'>): string => `data ${key_id}`;

/** nonce ‖ tag ‖ ciphertext. */
function encrypt(key: Buffer, plain: Buffer, bound_to: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(bound_to));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

function decrypt(key: Buffer, sealed: Buffer, bound_to: string): Buffer {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(bound_to)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw unusable('the stored signing key cannot be decrypted: it was altered, or belongs to another row', cause);
  }
}

/** The operator has to fix it, not the caller: 503 with the reason, on the management plane only. */
function unusable(detail: string, cause?: unknown): WeirError {
  return new WeirError('unavailable', { detail, ...(cause !== undefined && { cause }) });
}
