/** API keys: issue, list, revoke. The management endpoints and the command line both use this. */
import { WeirError } from '../../platform/errors.ts';
import { isApiKeyShaped, newApiKey, newId, sha256 } from '../../platform/ids.ts';
import type { ApiKeyStore, StoredApiKey } from '../../storage/ports/storage.ts';
import { GATE_SCOPES, OWNER_SCOPES } from './scopes.ts';

/** A new key. `api_key` is shown this once; only its hash is stored. */
export interface IssuedApiKey {
  api_key: string;
  key_id: string;
  customer_id: string;
  name: string;
  scopes: readonly string[];
  created_at: string;
}

export interface ApiKeys {
  /** Makes a key, and the customer when it is new. `scopes`: a gate's unless given. */
  issue(customer_id: string, name: string, scopes?: readonly string[]): Promise<IssuedApiKey>;
  /** Ensures that this key exists for this customer, as an owner's: for unattended starts. */
  ensure(customer_id: string, api_key: string): Promise<StoredApiKey>;
  /** All keys of a customer, revoked ones included. */
  list(customer_id: string): Promise<StoredApiKey[]>;
  /** The customer of a key; `null` when there is no such key. */
  customerOf(key_id: string): Promise<string | null>;
  /** Revokes a key permanently. Throws `not_found`. */
  revoke(key_id: string): Promise<StoredApiKey>;
}

export interface ApiKeyParts {
  store: ApiKeyStore;
  /** `TOKEN_PREFIX`. */
  prefix: string;
  /** Called after a key was made or revoked here, so that this process applies it immediately. */
  onChange?: () => void;
}

export function createApiKeys({ store, prefix, onChange = () => {} }: ApiKeyParts): ApiKeys {
  const storeKey = async (
    customer_id: string,
    name: string,
    api_key: string,
    scopes: readonly string[],
  ): Promise<StoredApiKey> => {
    const stored = await store.create({ key_id: newId(), customer_id, name, key_hash: sha256(api_key), scopes });
    onChange();
    return stored;
  };
  return {
    issue: async (customer_id, name, scopes = GATE_SCOPES) => {
      const api_key = newApiKey(prefix);
      const { key_id, created_at } = await storeKey(customer_id, name, api_key, scopes);
      return { api_key, key_id, customer_id, name, scopes, created_at };
    },
    ensure: async (customer_id, api_key) => {
      if (!isApiKeyShaped(api_key, prefix))
        throw new WeirError('invalid', { detail: 'the key is incomplete: its checksum is wrong' });
      const stored = await storeKey(customer_id, 'bootstrap', api_key, OWNER_SCOPES);
      if (stored.customer_id !== customer_id)
        throw new WeirError('conflict', { detail: 'the key belongs to another customer' });
      if (stored.revoked_at !== null)
        throw new WeirError('conflict', { detail: 'the key was revoked; choose a new one' });
      return stored;
    },
    list: (customer_id) => store.list(customer_id),
    customerOf: async (key_id) => (await store.find(key_id))?.customer_id ?? null,
    revoke: async (key_id) => {
      const stored = await store.revoke(key_id);
      if (stored === null) throw new WeirError('not_found', { detail: 'there is no API key with this key_id' });
      onChange();
      return stored;
    },
  };
}
