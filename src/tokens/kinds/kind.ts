/** A kind of token as one value: its parents, its request, its claims. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { StoredHold } from '../../records/hold.ts';
import type { ParentToken } from '../../storage/ports/auth.ts';
import type { Rbac } from '../rbac/rbac.ts';

/** The field by which a request names the parent. */
export type ParentReference = { jti: string } | { token_hash: string };

/** The parts that differ between kinds; everything else is shared. */
export interface Prepared {
  /** `null` for kinds that give no rights over actions. */
  rbac: Rbac | null;
  delegation_depth: number;
  /** `sub` of the token. */
  subject: string;
  /** Stored with the token, put into it as claims, and answered. */
  details: Record<string, unknown>;
  /** Events that it may be used for; `null`: no limit. */
  max_events: number | null;
}

export interface Limits {
  /** `AUTH_MAX_DELEGATION_DEPTH`. */
  max_delegation_depth: number;
}

/** What a token is used for: deriving others, acting beside an API key, or deciding. */
export type TokenUse = 'derives' | 'acts' | 'decides';

export interface TokenKind {
  /** Also its segment in the URL path and in the prefix: `weir_<name>_`. */
  name: string;
  summary: string;
  description: string;
  /** Media type in the token's header, so that one kind cannot stand in for another; `null`: opaque. */
  typ: string | null;
  use: TokenUse;
  /** Kinds that it is derived from; empty for a root. */
  parents: readonly string[];
  ttl: Ttl;
  body: TObject;
  /** Fields of the answer in addition to those of every kind. */
  answer: TProperties;
  parentOf(body: never): ParentReference | null;
  /** The event_id of the held event that it is issued for; absent: the kind is not for an event. */
  holdOf?(body: never): string;
  /** Throws `invalid`. The parent has an allowed kind and is valid; the hold waits for a decision. */
  prepare(body: never, parent: ParentToken | null, limits: Limits, hold: StoredHold | null): Prepared;
}

export interface Ttl {
  field: 'ttl_days' | 'ttl_hours' | 'ttl_minutes';
  default: number;
  /** A longer life is cut to this, in the same unit. */
  cut_at?: number;
}

/** Seconds of one unit. */
export const TTL_UNITS: Readonly<Record<Ttl['field'], number>> = {
  ttl_days: 86_400,
  ttl_hours: 3_600,
  ttl_minutes: 60,
};
/** Longest life of any token: ten years. A child's life is cut to its parent's in any case. */
export const MAX_TTL_S = 3_650 * 86_400;

/** Characters of a reason: in any script it fits into a token beside everything else. */
export const MAX_REASON = 500;

interface Definition<Body extends TProperties> extends Omit<TokenKind, 'body' | 'parentOf' | 'holdOf' | 'prepare'> {
  body: Body;
  parentOf(body: Static<TObject<Body>>): ParentReference | null;
  holdOf?(body: Static<TObject<Body>>): string;
  prepare(body: Static<TObject<Body>>, parent: ParentToken | null, limits: Limits, hold: StoredHold | null): Prepared;
}

/** Ties the type of the body to the functions that read it, and adds the fields of every kind. */
export function tokenKind<Body extends TProperties>(definition: Definition<Body>): TokenKind {
  const { field, default: absent } = definition.ttl;
  const ttl = Type.Integer({ minimum: 1, maximum: MAX_TTL_S / TTL_UNITS[field], default: absent });
  const body = Type.Object(
    { customer_id: Type.String({ format: 'uuid' }), ...definition.body, [field]: Type.Optional(ttl) },
    { additionalProperties: false },
  );
  return { ...definition, body } as TokenKind;
}
