/** The auth service: every endpoint, in the order the documentation shows them. */
import type { Decide } from '../../holds/decide.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { type MetricsText, metricsEndpoint } from '../../platform/http/metrics-endpoint.ts';
import type { Storage } from '../../storage/ports/storage.ts';
import type { ApiKeys } from '../../tokens/api-keys/api-keys.ts';
import type { Auth } from '../../tokens/auth.ts';
import { tokenKinds } from '../../tokens/kinds/index.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { cascade } from './cascade.ts';
import { createApiKey } from './create-api-key.ts';
import { decideOverride } from './decide.ts';
import { decisionPage, showHold } from './decision-page.ts';
import { authHealth } from './health.ts';
import { introspectToken } from './introspect-token.ts';
import { issueToken } from './issue-token.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listAudit } from './list-audit.ts';
import { type PeopleDoorParts, peopleEndpoints } from './people/index.ts';
import { rebuildFilter } from './rebuild-filter.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeToken } from './revoke-token.ts';
import { signingKeyEndpoints } from './signing-keys.ts';
import { tokenTree } from './token-tree.ts';
import { webhookEndpoints } from './webhooks/index.ts';

export interface AuthParts extends MetricsText, PeopleDoorParts {
  api_keys: ApiKeys;
  auth: Auth;
  decide: Decide;
  webhooks: Webhooks;
  storage: Pick<Storage, 'scores'>;
  /** `AUTH_SERVICE_NAME`. */
  service_name: string;
}

export function authEndpoints(parts: AuthParts): Endpoint[] {
  const { auth } = parts;
  return [
    ...tokenKinds.map((kind) => issueToken(kind, auth)),
    decideOverride(parts),
    showHold(parts),
    decisionPage(),
    introspectToken(auth),
    tokenTree(auth),
    revokeToken(auth),
    cascade(auth),
    rebuildFilter(auth),
    ...signingKeyEndpoints(auth),
    createApiKey(parts),
    listApiKeys(parts),
    revokeApiKey(parts),
    ...peopleEndpoints(parts),
    ...webhookEndpoints(parts),
    listAudit(auth),
    authHealth(parts),
    metricsEndpoint(parts, 'management'),
  ];
}
