/** Secrets of endpoints at rest: sealed like signing keys, bound to the customer and to their row. */

import { newId } from '../platform/ids.ts';
import type { SealedSecret } from '../storage/ports/webhooks.ts';
import type { MasterKey } from '../tokens/keys/master-key.ts';
import { openKey, sealKey } from '../tokens/keys/seal.ts';
import { newSecret } from './signing.ts';

/** A new secret: the text that is shown once, and the sealed form that is stored. */
export function makeSecret(master: MasterKey, customer_id: string): { secret: string; sealed: SealedSecret } {
  const secret = newSecret();
  const secret_id = newId();
  return { secret, sealed: { secret_id, ...sealKey(master, { key_id: secret_id, customer_id }, Buffer.from(secret)) } };
}

/** Throws `unavailable` when it was sealed under another master key, or altered. */
export function openSecret(master: MasterKey, customer_id: string, sealed: SealedSecret): string {
  return openKey(master, { key_id: sealed.secret_id, customer_id }, sealed).toString();
}
