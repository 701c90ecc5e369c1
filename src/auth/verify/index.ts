/**
 * `weir/verify`: checking Weir's tokens in a program of your own. `createVerifier` is what the scoring API uses;
 * `parseJws`, `isSignedBy`, `publicKeyFrom` and `rejectionOf` are its parts, for keys from `/keys/jwks/{customer_id}`. `verifyDecision` checks a
 * person's decision about a held event.
 */
export { actionHash } from '../../holds/action-hash.ts';
export { verifyDecision } from '../../holds/verify-decision.ts';
export { refusalOf } from '../rbac/evaluate.ts';
export { createRevocationView } from '../revocation/view.ts';
export { tokenNames } from '../tokens/claims.ts';
export { rejectionOf } from './check-claims.ts';
export { isSignedBy, parseJws, parseObject, publicKeyFrom } from './jws.ts';
export { createVerifyKeys, maySign } from './keys.ts';
export { createVerifier, type VerifiedToken, type VerifyToken } from './verify.ts';
