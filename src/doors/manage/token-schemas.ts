/** Requests and answers of the token endpoints. */
import { type TObject, Type } from 'typebox';
import { WeirError } from '../../platform/errors.ts';
import type { Body, RequestInfo } from '../../platform/http/endpoint.ts';
import { compileValidator } from '../../platform/http/validate.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { TokenStore } from '../../storage/ports/auth.ts';
import type { Requester } from '../../tokens/audit.ts';

const uuid = Type.String({ format: 'uuid' });
const time = Type.String({ format: 'date-time' });

export const issuedSchema = {
  token: Type.String({ description: 'shown this once' }),
  jti: uuid,
  customer_id: uuid,
  expires_at: time,
  parent_jti: Type.Optional(uuid),
};

export const revokedSchema = Type.Object({ jti: uuid, status: Type.Literal('revoked'), revoked_at: time });

export const cascadeSchema = Type.Object({
  root_jti: uuid,
  revoked_count: Type.Integer(),
  revoked_jtis: Type.Array(uuid, { description: 'those that this call revoked; empty the second time' }),
});

export const nodeSchema = Type.Object({
  jti: uuid,
  kind: Type.String(),
  parent_jti: Type.Union([uuid, Type.Null()]),
  state: Type.Enum(['active', 'expired', 'revoked'], { type: 'string' }),
  delegation_depth: Type.Integer(),
  issued_at: time,
  expires_at: time,
  used_events: Type.Union([Type.Integer(), Type.Null()]),
});

export const publicKeySchema = Type.Object({
  key_id: uuid,
  customer_id: uuid,
  public_key: Type.String({ description: 'PEM (SPKI)' }),
  algorithm: Type.Literal('ES256'),
  created_at: time,
});

/** A JSON body all of whose text a database can store: ids are refused rather than escaped. */
export function plainBody<T>(schema: TObject): Body<T> {
  const validate = compileValidator(schema, 'the body');
  return {
    schema,
    read: ({ value, has_odd_characters }) => {
      const body = validate(value) as T;
      if (!has_odd_characters) return body;
      const message = 'must not hold U+0000 or a lone surrogate; remove it';
      throw new WeirError('invalid', { detail: `the body ${message}`, errors: [{ path: '', message }] });
    },
  };
}

/** The customer of a body, or of a query. Throws `invalid`. `path`: its name in errors. */
export function customerIn(text: string, path: '/customer_id' | 'customer_id' = '/customer_id'): string {
  const customer_id = parseUuid(text);
  if (customer_id !== null) return customer_id;
  const errors = [{ path, message: 'must be a UUID' }];
  throw new WeirError('invalid', { detail: `\`${path}\` must be a UUID`, errors });
}

/** The customer of a token; `null` when there is no such token. */
export async function customerOfToken(tokens: Pick<TokenStore, 'find'>, jti: string): Promise<string | null> {
  const known = parseUuid(jti);
  return known === null ? null : ((await tokens.find(known))?.customer_id ?? null);
}

/** The caller on the management plane, for the audit log. */
export function operator({ request_id, actor }: RequestInfo): Requester {
  return { actor, request_id };
}
