/** Public keys of customers by their kid, cached until the log reports a change. */
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyState, StoredKey } from '../../storage/ports/auth.ts';
import { publicKeyFrom } from './jws.ts';

export interface VerifyKey {
  key: KeyObject;
  state: KeyState;
  /** It may have signed tokens issued before this time, in seconds since 1970; infinity while it is active. */
  retired_s: number;
}

export interface VerifyKeys {
  /** The customer's key with this kid; `null` when there is none; a promise when the source has to be read. */
  find(customer_id: string, kid: string): VerifyKey | null | Promise<VerifyKey | null>;
  forget(customer_id: string): void;
}

export type ListKeys = (customer_id: string) => Promise<readonly StoredKey[]>;

const MAX_CUSTOMERS = 10_000;

/** Reads all keys of a customer when a kid is unknown: it may have been made a moment ago. */
export function createVerifyKeys(list: ListKeys): VerifyKeys {
  const known = new LRUCache<string, ReadonlyMap<string, VerifyKey>>({ max: MAX_CUSTOMERS });
  const asking = new Map<string, Promise<ReadonlyMap<string, VerifyKey>>>();
  let generation = 0;

  const ask = async (customer_id: string): Promise<ReadonlyMap<string, VerifyKey>> => {
    const asked_in = generation;
    const keys = new Map((await list(customer_id)).flatMap((stored) => toEntry(stored)));
    // An answer from before a change must not outlive it.
    if (asked_in === generation) known.set(customer_id, keys);
    return keys;
  };

  return {
    find: (customer_id, kid) => {
      const key = known.get(customer_id)?.get(kid);
      if (key !== undefined) return key;
      let answer = asking.get(customer_id);
      if (answer === undefined) {
        answer = ask(customer_id).finally(() => asking.delete(customer_id));
        asking.set(customer_id, answer);
      }
      return answer.then((keys) => keys.get(kid) ?? null);
    },
    forget: (customer_id) => {
      generation += 1;
      asking.delete(customer_id);
      known.delete(customer_id);
    },
  };
}

function toEntry({ key_id, public_key, state, retired_at }: StoredKey): [string, VerifyKey][] {
  const key = publicKeyFrom(public_key);
  const retired_s = retired_at === null ? Number.POSITIVE_INFINITY : Date.parse(retired_at) / 1_000;
  return key === null ? [] : [[key_id, { key, state, retired_s }]];
}

/** Whether the key is valid for a token that was issued at that time. */
export function maySign({ state, retired_s }: VerifyKey, iat: number): boolean {
  return state === 'active' || (state === 'verify_only' && iat < retired_s);
}
