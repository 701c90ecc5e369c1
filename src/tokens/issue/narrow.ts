/** A child's rights: read, completed from the parent's, and refused with a witness when they exceed them. */
import { WeirError } from '../../platform/errors.ts';
import { summarise } from '../../platform/http/validate.ts';
import type { ParentToken } from '../../storage/ports/auth.ts';
import { compileRbac, lowerCaseActions, parseRbac, type Rbac } from '../rbac/rbac.ts';
import { findEscalation } from '../rbac/subset.ts';

/** The rights of a token whose parent has none. Throws `invalid`. */
export function firstRbac(sent: unknown): Rbac {
  return read(sent, null);
}

/**
 * `undefined` takes the parent's rights. Throws `invalid` with one request that the child would permit and the parent
 * does not.
 */
export function narrow(parent: ParentToken, sent: unknown): Rbac {
  const outer = parent.rbac as unknown as Rbac;
  if (sent === undefined) return outer;
  const rbac = read(sent, outer);
  const witness = findEscalation(compileRbac(outer), compileRbac(rbac));
  if (witness === null) return rbac;
  const { action, resource_type, resource_id, sensitivity_level } = witness;
  const message = `allows what the parent does not: action \`${action}\` on \`${resource_type}:${resource_id}\` at sensitivity_level ${sensitivity_level}; narrow it`;
  throw new WeirError('invalid', {
    detail: `\`/rbac\` ${message}`,
    errors: [{ path: '/rbac', message }],
    members: { witness },
  });
}

function read(sent: unknown, inherited: Rbac | null): Rbac {
  const { rbac, errors } = parseRbac(sent, inherited);
  if (rbac !== null) return lowerCaseActions(rbac);
  const located = errors.map(({ path, message }) => ({ path: `/rbac${path}`, message }));
  throw new WeirError('invalid', { detail: `the rbac is not valid: ${summarise(located)}`, errors: located });
}
