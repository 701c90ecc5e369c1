/** What a role may do: the same scopes as those of API keys, so that every endpoint checks one thing. */
import { OWNER_SCOPES, type Scope } from '../tokens/api-keys/scopes.ts';

export const roles = ['viewer', 'approver', 'policy_editor', 'admin'] as const;

export type Role = (typeof roles)[number];

const READ: readonly Scope[] = ['scores:read', 'policies:read'];

const scopesByRole: Record<Role, readonly Scope[]> = {
  viewer: READ,
  approver: [...READ, 'holds:decide'],
  policy_editor: [...READ, 'policies:write'],
  admin: OWNER_SCOPES,
};

/** The scopes of a stored role; none for a role that this version does not know. */
export function scopesOf(role: string): readonly Scope[] {
  return (scopesByRole as Record<string, readonly Scope[] | undefined>)[role] ?? [];
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}
