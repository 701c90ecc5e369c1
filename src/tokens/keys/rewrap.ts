/** Change of the master key: every data key in a store is wrapped again, and the data under it are not touched. */
import type { SealedKey } from '../../storage/ports/auth.ts';
import type { GetMasterKey } from './master-key.ts';
import { rewrapKey } from './seal.ts';

/** A store of sealed secrets; see `SigningKeyStore`. */
interface SealedStore {
  sealedOtherwise(master_key_id: string, after: string, limit: number): Promise<(SealedKey & { key_id: string })[]>;
  rewrap(key_id: string, from: string, to: Pick<SealedKey, 'data_key' | 'master_key_id'>): Promise<boolean>;
}

/** The outcome for the secrets that were not under the new master key. */
export interface Rewrapped {
  /** Now under the new one. */
  moved: number;
  /** Under a third key: neither the old nor the new one opens them. */
  left: number;
}

const PAGE = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Wraps every data key that is under `from` again. */
export async function rewrapAll(store: SealedStore, from: GetMasterKey, to: GetMasterKey): Promise<Rewrapped> {
  const [old, current] = await Promise.all([from(), to()]);
  let moved = 0;
  let left = 0;
  for (let after = FIRST_ID; ; ) {
    const page = await store.sealedOtherwise(current.id, after, PAGE);
    if (page.length === 0) return { moved, left };
    for (const sealed of page) {
      after = sealed.key_id;
      if (sealed.master_key_id !== old.id) left += 1;
      else if (await store.rewrap(sealed.key_id, old.id, rewrapKey(old, current, sealed, sealed))) moved += 1;
    }
  }
}
