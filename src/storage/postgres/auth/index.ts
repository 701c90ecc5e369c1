/** The auth service's tables in PostgreSQL. */
import type pg from 'pg';
import type { AuthStore } from '../../ports/auth.ts';
import { auditStore } from './audit.ts';
import { revocationStore } from './revocations.ts';
import { signingKeyStore } from './signing-keys.ts';
import { tokenStore } from './tokens.ts';

export function authStore(pool: pg.Pool): AuthStore {
  return {
    keys: signingKeyStore(pool),
    tokens: tokenStore(pool),
    revocations: revocationStore(pool),
    audit: auditStore(pool),
  };
}
