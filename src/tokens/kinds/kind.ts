/** What a kind of token is, as one value: where it comes from, what is asked for it, what it says. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { StoredHold } from '../../records/hold.ts';
import type { ParentToken } from '../../storage/ports/auth.ts';
import type { Rbac } from '../rbac/rbac.ts';

/** How a caller names the parent. */
export type ParentReference = { jti: string } | { token_hash: string };

/** What a kind decides; everything else is the same for all. */
export interface Prepared {
  /** `null` for kinds that give no rights over actions. */
  rbac: Rbac | null;
  delegation_depth: number;
  /** `sub` of the token. */
  subject: string;
  /** Kept with the token, put into it as claims, and answered. */
  details: Record<string, unknown>;
  /** Events it may be used for; `null` is without a limit. */
  max_events: number | null;
}

export interface Limits {
  /** `AUTH_MAX_DELEGATION_DEPTH`. */
  max_delegation_depth: number;
}

/** What a token is good for: to derive others from, beside an API key, for a decision. */
export type TokenUse = 'derives' | 'acts' | 'decides';

export interface TokenKind {
  /** Also its place in the path and in the prefix: `weir_<name>_`. */
  name: string;
  summary: string;
  description: string;
  /** Media type in the header of the token, so that no kind can stand in for another; `null`: opaque. */
  typ: string | null;
  use: TokenUse;
  /** Kinds it is derived from; none for a root. */
  parents: readonly string[];
  ttl: Ttl;
  body: TObject;
  /** Fields of the answer beside those of every kind. */
  answer: TProperties;
  parentOf(body: never): ParentReference | null;
  /** event_id of the held event that it is issued for; no such function: for none. */
  holdOf?(body: never): string;
  /** Throws `invalid`. The parent is of an allowed kind and alive; the hold waits for a decision. */
  prepare(body: never, parent: ParentToken | null, limits: Limits, hold: StoredHold | null): Prepared;
}

export interface Ttl {
  field: 'ttl_days' | 'ttl_hours' | 'ttl_minutes';
  default: number;
  /** Longer ones are cut to this, in the same unit. */
  cut_at?: number;
}

/** Seconds of one unit. */
export const TTL_UNITS: Readonly<Record<Ttl['field'], number>> = {
  ttl_days: 86_400,
  ttl_hours: 3_600,
  ttl_minutes: 60,
};
/** Longest life of any token, ten years; a child's is cut to its parent's anyway. */
export const MAX_TTL_S = 3_650 * 86_400;

/** Characters of a reason: it fits in a token beside everything else, in any script. */
export const MAX_REASON = 500;

interface Definition<Body extends TProperties> extends Omit<TokenKind, 'body' | 'parentOf' | 'holdOf' | 'prepare'> {
  body: Body;
  parentOf(body: Static<TObject<Body>>): ParentReference | null;
  holdOf?(body: Static<TObject<Body>>): string;
  prepare(body: Static<TObject<Body>>, parent: ParentToken | null, limits: Limits, hold: StoredHold | null): Prepared;
}

/** Ties the type of the body to the functions that read it, and adds what every kind takes. */
export function tokenKind<Body extends TProperties>(definition: Definition<Body>): TokenKind {
  const { field, default: absent } = definition.ttl;
  const ttl = Type.Integer({ minimum: 1, maximum: MAX_TTL_S / TTL_UNITS[field], default: absent });
  const body = Type.Object(
    { customer_id: Type.String({ format: 'uuid' }), ...definition.body, [field]: Type.Optional(ttl) },
    { additionalProperties: false },
  );
  return { ...definition, body } as TokenKind;
}
