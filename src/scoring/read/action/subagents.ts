/** Delegation between agents: how deep it goes, what is handed over, and whether an agent acts on itself. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower } from '../../../lang/names.ts';
import { matchesAction, parseAction } from '../../../lang/patterns.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { CompiledPolicy } from '../../types.ts';

const DEPTH_KEYS = new Set(['depth', 'delegation_depth', 'agent_depth', 'spawn_depth', 'recursion_depth', 'level']);
const COUNT_KEYS = new Set(['agents', 'agent_count', 'num_agents', 'subagents', 'workers', 'replicas', 'instances']);
const MAY_DELEGATE_KEYS = new Set([
  'allow_delegation',
  'can_delegate',
  'can_spawn',
  'allow_spawn',
  'may_delegate',
  'allow_subagents',
]);
const RIGHTS_KEYS = new Set([
  'actions',
  'allowed_actions',
  'permissions',
  'permission',
  'scopes',
  'scope',
  'rights',
  'roles',
  'role',
  'grants',
  'capabilities',
]);
const TOOL_KEYS = new Set(['tools', 'allowed_tools', 'toolset']);
/** Rights that name no limit. */
const UNLIMITED = /^(?:\*|all|any|admin|administrator|root|owner|superuser|full|full_access|\*:\*(?::\*)?)$/i;

/** The largest depth that the parameters name; 0 when they name none. */
export function delegationDepth(event: AgentEvent): number {
  return largest(event, DEPTH_KEYS);
}

/** How many agents the parameters name or list; 0 when they do not say. */
export function delegateCount(event: AgentEvent): number {
  const listed = parametersOf(event).entries.filter(({ name, value }) => COUNT_KEYS.has(name) && Array.isArray(value));
  return Math.max(largest(event, COUNT_KEYS), ...listed.map(({ value }) => (value as unknown[]).length));
}

function largest(event: AgentEvent, keys: ReadonlySet<string>): number {
  let most = 0;
  for (const { name, value } of parametersOf(event).leaves) {
    const number = keys.has(name) && typeof value !== 'boolean' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) most = Math.max(most, Math.min(number, Number.MAX_SAFE_INTEGER));
  }
  return Math.ceil(most);
}

export function delegateMayDelegate(event: AgentEvent): boolean {
  return parametersOf(event).leaves.some(
    ({ name, value }) => MAY_DELEGATE_KEYS.has(name) && (value === true || value === 'true'),
  );
}

/**
 * Rights handed over that the one who hands them over does not have: everything, an administrator's role, or actions and
 * tools outside what the customer's policy allows. Sorted.
 */
export function excessRights(event: AgentEvent, policy: CompiledPolicy): string[] {
  const excess = new Set<string>();
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string') continue;
    const is_right = RIGHTS_KEYS.has(name);
    const is_tool = TOOL_KEYS.has(name);
    if (!is_right && !is_tool) continue;
    const right = asciiLower(value.trim());
    if (UNLIMITED.test(right) || (is_right && exceedsActions(right, policy))) excess.add(right);
    else if (is_tool && policy.allowed_tools.size > 0 && !policy.allowed_tools.has(value.trim())) excess.add(right);
  }
  return [...excess].sort();
}

function exceedsActions(right: string, policy: CompiledPolicy): boolean {
  const action = /^[^:\s]+:[^:\s]+:[^:\s]+$/.test(right) ? parseAction(right) : null;
  if (action === null) return false;
  if (
    policy.blocked_actions.has(right) ||
    policy.blocked_patterns.some(({ pattern }) => matchesAction(pattern, action))
  )
    return true;
  return (
    policy.allowed_patterns.length > 0 && !policy.allowed_patterns.some(({ pattern }) => matchesAction(pattern, action))
  );
}

const approverKeys = perOntology((ontology) => new Set(ontology.name_keys.get('approver')));
const SELF_WORDS = new Set(['self', 'myself', 'this_agent', 'own']);
const SELF_KEYS = /(?:^|_)(?:agent|agent_id|clone_of|copy_of|template|source|image|parent)$/;

const isOwnName = (value: Leaf['value'], event: AgentEvent): boolean => {
  const own = asciiLower(event.agent?.agent_id ?? '');
  const named = typeof value === 'string' ? asciiLower(value.trim()) : '';
  return SELF_WORDS.has(named) || (own.length >= 4 && named === own);
};

/** The agent names itself as the one who approved. */
export function approverIsAgent(event: AgentEvent, ontology: Ontology): boolean {
  const keys = approverKeys(ontology);
  return parametersOf(event).leaves.some(({ name, value }) => keys.has(name) && isOwnName(value, event));
}

/** A parameter names the acting agent as the thing that is acted on. */
export function targetsItself(event: AgentEvent): boolean {
  if (isOwnName(event.target?.resource_id ?? '', event)) return true;
  return parametersOf(event).leaves.some(({ name, value }) => SELF_KEYS.test(name) && isOwnName(value, event));
}
