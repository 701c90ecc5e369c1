/** The auth service: every endpoint, in the order the documentation shows them. */
import type { Endpoint } from '../../platform/endpoint.ts';
import type { ApiKeys } from '../api-keys.ts';
import { createApiKey } from './create-api-key.ts';
import { authHealth } from './health.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export interface AuthParts {
  api_keys: ApiKeys;
  /** `AUTH_SERVICE_NAME`. */
  service_name: string;
}

export function authEndpoints(parts: AuthParts): Endpoint[] {
  return [createApiKey(parts), listApiKeys(parts), revokeApiKey(parts), authHealth(parts)];
}
