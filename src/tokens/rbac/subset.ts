/**
 * Whether everything that one rbac permits another permits as well: exact, with a witness when not. Pure.
 *
 * The permitted requests are a product: actions × resources × levels. So child ⊆ parent when the child permits nothing,
 * or when each of its three sets is inside the parent's. Segments are an open alphabet: put a symbol that occurs nowhere
 * at every star of a pattern, and whichever pattern of a list contains that point contains the whole pattern. Hence
 * a pattern is covered by a list only if one member covers it, and for each dimension
 *
 *   allow_c ∖ deny_c ⊆ allow_p ∖ deny_p  ⇔  for every p of allow_c that is not inside one of deny_c
 *     (1) p is inside one of allow_p, and
 *     (2) for every q of deny_p that meets p, their intersection is inside one of deny_c.
 *
 * Requests that leave a part of the target out behave like a fresh name there, so they are covered too.
 */
import { type ActionPattern, type ResourcePattern, STAR } from '../../lang/patterns.ts';
import type { CompiledRbac } from './rbac.ts';

/** One request that the child would allow and the parent would not. */
export interface Witness {
  action: string;
  resource_type: string;
  resource_id: string;
  sensitivity_level: number;
}

/** A pattern of either kind: two or three segments. */
type Segments = readonly string[];

interface Lists {
  allowed: readonly Segments[];
  denied: readonly Segments[];
}

/** `null` when `parent` permits everything that `child` permits. */
export function findEscalation(parent: CompiledRbac, child: CompiledRbac): Witness | null {
  const [parent_actions, child_actions] = [actionsOf(parent), actionsOf(child)];
  const [parent_resources, child_resources] = [resourcesOf(parent), resourcesOf(child)];
  const some_action = child_actions.allowed.find((p) => isAlive(p, child_actions));
  const some_resource = child_resources.allowed.find((p) => isAlive(p, child_resources));
  if (some_action === undefined || some_resource === undefined) return null;

  const action = findOutside(parent_actions, child_actions);
  const resource = findOutside(parent_resources, child_resources);
  const is_level_higher = !(child.max_sensitivity_level <= parent.max_sensitivity_level);
  if (action === null && resource === null && !is_level_higher) return null;

  const fresh = freshName([parent_actions, child_actions, parent_resources, child_resources]);
  const [resource_type, resource_id] = pointOf(resource ?? some_resource, fresh) as [string, string];
  return {
    action: pointOf(action ?? some_action, fresh).join(':'),
    resource_type,
    resource_id,
    sensitivity_level: is_level_higher ? child.max_sensitivity_level : 0,
  };
}

/** A pattern whose fresh point the child permits and the parent does not. */
function findOutside(parent: Lists, child: Lists): Segments | null {
  for (const p of child.allowed) {
    if (!isAlive(p, child)) continue;
    if (!parent.allowed.some((outer) => isInside(p, outer))) return p;
    for (const q of parent.denied) {
      const both = meet(p, q);
      if (both !== null && isAlive(both, child)) return both;
    }
  }
  return null;
}

/** Whether the deny list leaves anything of the pattern. */
function isAlive(p: Segments, { denied }: Lists): boolean {
  return !denied.some((outer) => isInside(p, outer));
}

function isInside(inner: Segments, outer: Segments): boolean {
  return outer.every((segment, at) => segment === STAR || segment === inner[at]);
}

/** The intersection of both patterns, which is one pattern again; `null` when it is empty. */
function meet(p: Segments, q: Segments): Segments | null {
  const both: string[] = [];
  for (const [at, segment] of p.entries()) {
    const other = q[at]!;
    if (segment !== STAR && other !== STAR && segment !== other) return null;
    both.push(segment === STAR ? other : segment);
  }
  return both;
}

function pointOf(pattern: Segments, fresh: string): string[] {
  return pattern.map((segment) => (segment === STAR ? fresh : segment));
}

/** A name that occurs in no pattern. */
function freshName(all: readonly Lists[]): string {
  const taken = new Set(all.flatMap(({ allowed, denied }) => [...allowed, ...denied].flat()));
  let number = 1;
  while (taken.has(`other-${number}`)) number += 1;
  return `other-${number}`;
}

function actionsOf({ allowed_actions, denied_actions }: CompiledRbac): Lists {
  const segments = ({ domain, scope, verb }: ActionPattern): Segments => [domain, scope, verb];
  return { allowed: allowed_actions.map(segments), denied: denied_actions.map(segments) };
}

function resourcesOf({ allowed_resources, denied_resources }: CompiledRbac): Lists {
  const segments = ({ type, id }: ResourcePattern): Segments => [type, id];
  return { allowed: allowed_resources.map(segments), denied: denied_resources.map(segments) };
}
