/**
 * A decision as a compact JWS (ES256, RFC 7515) signed with the customer's key, which an enforcing program can check
 * offline.
 */

import type { Decider, Decision } from '../records/hold.ts';
import { signJws } from '../tokens/issue/sign.ts';
import type { Signer } from '../tokens/keys/signing-keys.ts';

/** `typ` of the header: no token has it, so neither can stand in for the other. */
export const DECISION_TYP = 'decision+jwt';

/** The decision, its subject, its authority and its time. */
export interface DecisionClaims {
  /** `AUTH_SERVICE_NAME`. */
  iss: string;
  /** Seconds since 1970 of `decided_at`. */
  iat: number;
  /** The jti of the override token. */
  jti: string;
  customer_id: string;
  event_id: string;
  /** Hex (`action-hash.ts`). */
  action_hash: string;
  decision: Decision;
  /** Database time, ISO 8601. */
  decided_at: string;
  /** Everyone behind it. */
  decided_by: readonly Decider[];
}

export function cosign(signer: Signer, claims: DecisionClaims): string {
  return signJws(signer, DECISION_TYP, claims);
}
