/** Signing keys: make, rotate, publish. */
import { type TObject, Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { StoredKey } from '../../storage/ports/auth.ts';
import type { Auth } from '../../tokens/auth.ts';
import { customerIn, operator, plainBody, publicKeySchema } from './token-schemas.ts';

const customer = { customer_id: Type.String({ format: 'uuid' }) };
const strict = { additionalProperties: false };
const makeSchema: TObject = Type.Object(customer, strict);
const rotateSchema: TObject = Type.Object(
  {
    ...customer,
    revoke_existing: Type.Optional(
      Type.Boolean({ default: false, description: 'the key is compromised: revoke every token that it signed' }),
    ),
  },
  strict,
);

type Keys = Pick<Auth, 'keys'>;

export function signingKeyEndpoints(parts: Keys): Endpoint[] {
  return [createSigningKey(parts), rotateSigningKey(parts), publicKey(parts), jwks(parts)];
}

function createSigningKey({ keys }: Keys) {
  return endpoint({
    method: 'POST',
    path: '/keys/signing',
    operation: 'create_signing_key',
    summary: 'Make a new signing key for a customer',
    description:
      'It becomes the active key; the previous key signs no more and still verifies the tokens that it signed.',
    tag: 'signing keys',
    access: 'management',
    scope: 'admin',
    body: plainBody<{ customer_id: string }>(makeSchema),
    answers: { 201: { description: 'made', schema: publicKeySchema } },
    handle: async ({ body, request }) => ({
      status: 201,
      body: show(await keys.create(customerIn(body.customer_id), operator(request))),
    }),
  });
}

function rotateSigningKey({ keys }: Keys) {
  return endpoint({
    method: 'POST',
    path: '/keys/{key_id}/rotate',
    operation: 'rotate_signing_key',
    summary: 'Replace the active signing key',
    description:
      'Tokens that the old key signed verify until they expire, unless `revoke_existing` is true. One key is active at every moment; of two rotations of one key at once the second gets 409.',
    tag: 'signing keys',
    access: 'management',
    scope: 'admin',
    body: plainBody<{ customer_id: string; revoke_existing?: boolean }>(rotateSchema),
    answers: { 201: { description: 'the key that is active now', schema: publicKeySchema } },
    errors: ['not_found', 'conflict'],
    handle: async ({ path, body, request }) => {
      const key_id = parseUuid(path.key_id);
      const customer_id = customerIn(body.customer_id);
      if (key_id === null) throw new WeirError('not_found', { detail: 'this customer has no such signing key' });
      const key = await keys.rotate(customer_id, key_id, body.revoke_existing ?? false, operator(request));
      return { status: 201, body: show(key) };
    },
  });
}

function publicKey({ keys }: Keys) {
  return endpoint({
    method: 'GET',
    path: '/keys/public/{customer_id}',
    operation: 'public_key',
    summary: 'The active public key of a customer',
    tag: 'signing keys',
    access: 'management',
    scope: 'scores:read',
    answers: { 200: { description: 'the key', schema: publicKeySchema } },
    errors: ['not_found'],
    handle: async ({ path }) => ({ body: show(await keys.publicKey(path.customer_id)) }),
  });
}

function jwks({ keys }: Keys) {
  return endpoint({
    method: 'GET',
    path: '/keys/jwks/{customer_id}',
    operation: 'jwks',
    summary: 'Every key that verifies, as a JWK Set (RFC 7517)',
    tag: 'signing keys',
    access: 'management',
    scope: 'scores:read',
    answers: {
      200: {
        description: 'the active key first, then those that only verify',
        schema: Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }),
      },
    },
    handle: async ({ path }) => ({ body: await keys.jwks(path.customer_id) }),
  });
}

function show({ key_id, customer_id, public_key, created_at }: StoredKey) {
  return { key_id, customer_id, public_key, algorithm: 'ES256', created_at };
}
