/**
 * `weir/verify`: checks Weir's tokens in a program of your own. `createVerifier` is what the scoring API uses;
 * `parseJws`, `isSignedBy`, `publicKeyFrom` and `rejectionOf` are its parts, for keys from `/keys/jwks/{customer_id}`.
 * `verifyDecision` checks a person's decision about a held event.
 */
export { actionHash } from './holds/action-hash.ts';
export { verifyDecision } from './holds/verify-decision.ts';
export { tokenNames } from './tokens/issue/claims.ts';
export { refusalOf } from './tokens/rbac/evaluate.ts';
export { createRevocationView } from './tokens/revocation/view.ts';
export { rejectionOf } from './tokens/verify/check-claims.ts';
export { isSignedBy, parseJws, parseObject, publicKeyFrom } from './tokens/verify/jws.ts';
export { createVerifyKeys, maySign } from './tokens/verify/keys.ts';
export { createVerifier, type VerifiedToken, type VerifyToken } from './tokens/verify/verify.ts';
