/** The auth service assembled: everything that its endpoints, the command line and the scoring API use. */
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../platform/settings.ts';
import type { AuthStore } from '../storage/ports/auth.ts';
import type { Cache } from '../storage/ports/cache.ts';
import { createIntrospect, type Introspection } from './introspect.ts';
import { type TokenNames, tokenNames } from './issue/claims.ts';
import { createIssueToken, type FindHeld, type IssueToken } from './issue/issue.ts';
import { createMasterKey, derivedKey, type GetMasterKey } from './keys/master-key.ts';
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { tokenKinds } from './kinds/index.ts';
import { MAX_TTL_S } from './kinds/kind.ts';
import { createRevoke, type Revoke } from './revocation/revoke.ts';
import { createRevocationView, type RevocationView } from './revocation/view.ts';
import { createVerifyKeys } from './verify/keys.ts';
import { createVerifier, type VerifyToken } from './verify/verify.ts';

export interface Auth {
  store: AuthStore;
  keys: SigningKeys;
  issue: IssueToken;
  revoke: Revoke;
  view: RevocationView;
  /** Takes tokens that act: agent, subagent, session. */
  verify: VerifyToken;
  /** Takes override tokens, which allow a decision about a held event. */
  verify_override: VerifyToken;
  introspect: (token: string) => Promise<Introspection>;
  names: TokenNames;
  /** The key under which everything secret in the store is encrypted. */
  master_key: GetMasterKey;
}

export interface AuthServiceParts {
  store: AuthStore;
  findHeld: FindHeld;
  cache: Cache;
  clock: Clock;
  settings: Pick<
    Settings,
    'AUTH_SERVICE_NAME' | 'TOKEN_PREFIX' | 'MASTER_KEY' | 'DATA_DIR' | 'AUTH_MAX_DELEGATION_DEPTH'
  >;
}

export function createAuth({ store, findHeld, cache, clock, settings }: AuthServiceParts): Auth {
  const names = tokenNames(settings);
  const master_key = createMasterKey(settings);
  const cache_key = derivedKey(master_key, 'revocation filter');
  const view = createRevocationView({ store: store.revocations, cache, cache_key, clock });
  const keys = createSigningKeys({ store: store.keys, master_key, onChange: view.expire });
  const signed = tokenKinds.flatMap(({ name, typ, use }) => (typ === null ? [] : [{ name, typ, use }]));
  const verifying = {
    keys: createVerifyKeys(store.keys.list),
    revocations: view,
    names,
    max_ttl_s: MAX_TTL_S,
  };
  return {
    store,
    keys,
    names,
    view,
    master_key,
    issue: createIssueToken({
      store,
      findHeld,
      keys,
      names,
      limits: { max_delegation_depth: settings.AUTH_MAX_DELEGATION_DEPTH },
    }),
    revoke: createRevoke(store.revocations, view),
    verify: createVerifier({ ...verifying, kinds: signed.filter(({ use }) => use === 'acts') }),
    verify_override: createVerifier({ ...verifying, kinds: signed.filter(({ use }) => use === 'decides') }),
    introspect: createIntrospect({
      tokens: store.tokens,
      verify: createVerifier({ ...verifying, kinds: signed }),
      names,
    }),
  };
}
