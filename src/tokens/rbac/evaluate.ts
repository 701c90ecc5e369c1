/** Whether one request is permitted. Pure. */
import { type Action, matchesAction, matchesResource, type ResourcePattern, STAR } from '../../lang/patterns.ts';
import type { CompiledRbac } from './rbac.ts';

/** A request. A part of the target that the caller does not name is `undefined`. */
export interface RbacRequest {
  action: Action;
  resource_type: string | undefined;
  resource_id: string | undefined;
  sensitivity_level: number;
}

/** Why a request is refused: the first reason in this order. */
export type Refusal =
  | 'action_is_not_allowed'
  | 'action_is_denied'
  | 'resource_is_not_allowed'
  | 'resource_is_denied'
  | 'sensitivity_is_too_high';

/** `null` when it is permitted. */
export function refusalOf(rbac: CompiledRbac, request: RbacRequest): Refusal | null {
  const { action, resource_type: type, resource_id: id } = request;
  if (!rbac.allowed_actions.some((pattern) => matchesAction(pattern, action))) return 'action_is_not_allowed';
  if (rbac.denied_actions.some((pattern) => matchesAction(pattern, action))) return 'action_is_denied';
  if (!rbac.allowed_resources.some((pattern) => matchesResource(pattern, type, id))) return 'resource_is_not_allowed';
  if (rbac.denied_resources.some((pattern) => mayMatch(pattern, type, id))) return 'resource_is_denied';
  // Written so that NaN counts as too high.
  return request.sensitivity_level <= rbac.max_sensitivity_level ? null : 'sensitivity_is_too_high';
}

/**
 * For deny lists. A target without type and id is matched only by `*:*`. Where one part is missing it may be any value:
 * leaving out the id must not get around a deny of that id.
 */
function mayMatch(pattern: ResourcePattern, type: string | undefined, id: string | undefined): boolean {
  if (type === undefined && id === undefined) return matchesResource(pattern, type, id);
  return mayBe(pattern.type, type) && mayBe(pattern.id, id);
}

function mayBe(pattern: string, value: string | undefined): boolean {
  return pattern === STAR || value === undefined || pattern === value;
}
