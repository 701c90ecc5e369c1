/** ES256 key pairs, one active per customer: made on first use, rotated, disabled, published. */
import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { WeirError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { NewKey, SigningKeyStore, StoredKey } from '../../storage/ports/auth.ts';
import { auditLine, type Requester } from '../audit.ts';
import type { GetMasterKey } from './master-key.ts';
import { type Rewrapped, rewrapAll } from './rewrap.ts';
import { openKey, sealKey } from './seal.ts';

/** The key that signs for a customer now. */
export interface Signer {
  key_id: string;
  private_key: KeyObject;
}

export interface SigningKeys {
  /** The active key, made when there is none. It may be out of date by one rotation; storing the token detects that. */
  signer(customer_id: string, by: Requester): Promise<Signer>;
  /** The key is no longer the active one: read it again next time. */
  forget(customer_id: string): void;
  /** Makes a new active key; the previous one only verifies from now on. */
  create(customer_id: string, by: Requester): Promise<StoredKey>;
  /**
   * Replaces `key_id`; with `revoke_existing`, tokens that it signed are invalid too. Returns the key that is active
   * then. Throws `not_found`, and `conflict` when the key is not the active one.
   */
  rotate(customer_id: string, key_id: string, revoke_existing: boolean, by: Requester): Promise<StoredKey>;
  /** The active public key; throws `not_found`. */
  publicKey(customer_id: string): Promise<StoredKey>;
  /** Every key that still verifies, as a JWK Set (RFC 7517). */
  jwks(customer_id: string): Promise<{ keys: JsonWebKey[] }>;
  /** Wraps every data key that is under `from` again. */
  rewrap(from: GetMasterKey): Promise<Rewrapped>;
}

export interface SigningKeyParts {
  store: SigningKeyStore;
  master_key: GetMasterKey;
  /** Called after keys changed here, so that this process validates with them immediately. */
  onChange?: () => void;
}

const MAX_SIGNERS = 10_000;

const makePair = promisify(generateKeyPair);

export function createSigningKeys({ store, master_key, onChange = () => {} }: SigningKeyParts): SigningKeys {
  const signers = new LRUCache<string, Signer>({ max: MAX_SIGNERS });

  const newKey = async (customer_id: string): Promise<NewKey> => {
    const { publicKey, privateKey } = await makePair('ec', { namedCurve: 'P-256' });
    const name = { key_id: newId(), customer_id };
    const sealed = sealKey(await master_key(), name, privateKey.export({ type: 'pkcs8', format: 'der' }));
    return { ...name, ...sealed, public_key: publicKey.export({ type: 'spki', format: 'pem' }) as string };
  };

  const put = async (customer_id: string, only_if_none: boolean, by: Requester): Promise<StoredKey> => {
    const key = await newKey(customer_id);
    const line = auditLine(by, 'key.created', { customer_id, subject: key.key_id });
    const active = await store.put(key, { only_if_none }, line);
    signers.delete(customer_id);
    onChange();
    return active;
  };

  return {
    signer: async (customer_id, by) => {
      const cached = signers.get(customer_id);
      if (cached !== undefined) return cached;
      let stored = await store.active(customer_id);
      if (stored === null) {
        await put(customer_id, true, by);
        stored = (await store.active(customer_id))!;
      }
      const der = openKey(await master_key(), stored, stored);
      const signer = {
        key_id: stored.key_id,
        private_key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      };
      signers.set(customer_id, signer);
      return signer;
    },

    forget: (customer_id) => void signers.delete(customer_id),

    create: (customer_id, by) => put(customer_id, false, by),

    rotate: async (customer_id, key_id, revoke_existing, by) => {
      const next = await newKey(customer_id);
      const details = { replaces: key_id, revoke_existing };
      const line = auditLine(by, 'key.rotated', { customer_id, subject: next.key_id, details });
      const outcome = await store.rotate(key_id, next, { disable: revoke_existing }, line);
      signers.delete(customer_id);
      onChange();
      if (outcome.kind === 'rotated') return outcome.key;
      if (outcome.kind === 'unknown') throw noKey();
      if (revoke_existing && outcome.active !== null) return outcome.active;
      throw new WeirError('conflict', {
        detail: `this key was replaced before and is \`${outcome.state}\`; the active key is \`${outcome.active?.key_id}\`. To revoke the tokens that the old key signed, send \`revoke_existing: true\``,
      });
    },

    publicKey: async (customer_id) => {
      const active = await store.active(customer_id);
      if (active === null) throw noKey();
      const { private_key: _private, data_key: _data, master_key_id: _master, ...key } = active;
      return key;
    },

    jwks: async (customer_id) => {
      const keys = (await store.list(customer_id)).filter(({ state }) => state !== 'disabled');
      return { keys: keys.map(toJwk) };
    },

    rewrap: (from) => rewrapAll(store, from, master_key),
  };
}

function toJwk({ key_id, public_key }: StoredKey): JsonWebKey {
  return { ...createPublicKey(public_key).export({ format: 'jwk' }), kid: key_id, alg: 'ES256', use: 'sig' };
}

function noKey(): WeirError {
  return new WeirError('not_found', { detail: 'this customer has no such signing key' });
}
