/** Whether a caller has the scope that an endpoint needs. */
import { WeirError } from '../errors.ts';
import type { Caller } from './endpoint.ts';

/** Includes every other scope: whoever makes keys can make one with any scope. */
const ADMIN = 'admin';

/** The operator on the management plane is bound to no customer and to no scope. */
export function isOperator({ customer_id }: Pick<Caller, 'customer_id'>): boolean {
  return customer_id === '';
}

/** Throws `forbidden` and names the scope when the caller lacks it. */
export function checkScope(caller: Caller, scope: string): void {
  if (isOperator(caller) || caller.scopes.includes(scope) || caller.scopes.includes(ADMIN)) return;
  throw new WeirError('forbidden', {
    detail: `this needs the scope \`${scope}\`, which these credentials do not have; they have ${listed(caller.scopes)}`,
    members: { missing_scope: scope },
  });
}

function listed(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'none' : scopes.map((scope) => `\`${scope}\``).join(', ');
}
