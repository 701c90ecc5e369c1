/** What an API key may do. A missing scope is a 403 that names it. */

/** Every scope, in the order in which they are shown. To add one, add it here and name it in the endpoints that need it. */
export const scopes = [
  'events:write',
  'scores:read',
  'policies:read',
  'policies:write',
  'holds:decide',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

/** A gate's key: it sends events, and reads scores and the policy. It neither widens the policy nor decides. */
export const GATE_SCOPES: readonly Scope[] = ['events:write', 'scores:read', 'policies:read'];

/** An owner's key: everything within one customer. */
export const OWNER_SCOPES: readonly Scope[] = [...scopes];

/** The scopes among `names`, each once and in the order of the list. `unknown`: the first name that is none. */
export function readScopes(names: readonly string[]): { scopes: Scope[] } | { unknown: string } {
  const unknown = names.find((name) => !(scopes as readonly string[]).includes(name));
  if (unknown !== undefined) return { unknown };
  return { scopes: scopes.filter((scope) => names.includes(scope)) };
}
