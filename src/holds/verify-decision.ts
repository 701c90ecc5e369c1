/** Checks a cosigned decision where the action is carried out: offline, with the customer's public keys only. */

import type { AgentEvent } from '../events/event.ts';
import type { Decider, Decision } from '../records/hold.ts';
import { isSignedBy, parseJws, parseObject, publicKeyFrom } from '../tokens/verify/jws.ts';
import { actionHash, type HashedAction } from './action-hash.ts';
import { DECISION_TYP } from './cosign.ts';

/** The action that is about to be carried out. An event as it was posted fits. */
export type DecidedAction = HashedAction & Pick<AgentEvent, 'event_id'>;

/** A JWK Set as `GET /keys/jwks/{customer_id}` serves it. */
export interface KeySet {
  keys: readonly Record<string, unknown>[];
}

/** A genuine decision about exactly this action. */
export interface VerifiedDecision {
  /** Carry on only when this is `approve`. */
  decision: Decision;
  event_id: string;
  customer_id: string;
  /** ISO 8601. */
  decided_at: string;
  /** The jti of the override token that was used. */
  jti: string;
  /** Everyone behind it; empty for decisions of earlier versions. */
  decided_by: readonly Decider[];
}

/**
 * The decision in `jws` (`hold.cosignature` of `GET /scores/event/{event_id}`), if one of `keys` signed it and it is
 * about this event with this very action, target and parameters; otherwise `null`. The hash is computed again from
 * `action`, so an approval cannot be used for other arguments, and the event_id is compared, so it cannot be used for
 * another event with the same arguments. The caller must ensure that an approved event is carried out once. Never
 * throws.
 */
export function verifyDecision(jws: string, keys: KeySet, action: DecidedAction): VerifiedDecision | null {
  const parsed = parseJws(jws);
  if (parsed === null || parsed.header.typ !== DECISION_TYP) return null;
  const named = keys.keys.filter(({ kid }) => kid === parsed.header.kid);
  const key = named.length === 1 ? publicKeyFrom(named[0]!) : null;
  if (key === null || !isSignedBy(key, parsed)) return null;
  const claims = parseObject(parsed.payload);
  const hash = actionHash(action);
  if (claims === null || hash === null) return null;
  if (claims['event_id'] !== action.event_id || claims['action_hash'] !== hash) return null;
  const { decision, event_id, customer_id, decided_at, jti, decided_by = [] } = claims as unknown as VerifiedDecision;
  if (decision !== 'approve' && decision !== 'reject') return null;
  return { decision, event_id, customer_id, decided_at, jti, decided_by };
}
