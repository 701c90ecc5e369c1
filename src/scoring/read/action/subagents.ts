/** Delegation between agents: how deep it goes, what is handed over, and whether an agent acts on itself. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower } from '../../../lang/names.ts';
import { matchesAction, parseAction } from '../../../lang/patterns.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { CompiledPolicy } from '../../types.ts';

const names = perOntology((ontology) => ({
  depths: setOf(ontology, 'delegation_depth_parameters'),
  counts: setOf(ontology, 'delegate_count_parameters'),
  may_delegate: setOf(ontology, 'may_delegate_switches'),
  rights: setOf(ontology, 'rights_parameters'),
  tools: setOf(ontology, 'delegated_tool_parameters'),
  unlimited: setOf(ontology, 'unlimited_rights'),
  approvers: new Set(ontology.name_keys.get('approver')),
  own_agent: setOf(ontology, 'own_agent_words'),
  own_copy: patternOf(ontology, 'parameter_names', 'own_copy'),
}));

/** The largest depth that the parameters name; 0 when they name none. */
export function delegationDepth(event: AgentEvent, ontology: Ontology): number {
  return largest(event, names(ontology).depths);
}

/** How many agents the parameters name or list; 0 when they do not say. */
export function delegateCount(event: AgentEvent, ontology: Ontology): number {
  const { counts } = names(ontology);
  const listed = parametersOf(event).entries.filter(({ name, value }) => counts.has(name) && Array.isArray(value));
  return Math.max(largest(event, counts), ...listed.map(({ value }) => (value as unknown[]).length));
}

function largest(event: AgentEvent, keys: ReadonlySet<string>): number {
  let most = 0;
  for (const { name, value } of parametersOf(event).leaves) {
    const number = keys.has(name) && typeof value !== 'boolean' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) most = Math.max(most, Math.min(number, Number.MAX_SAFE_INTEGER));
  }
  return Math.ceil(most);
}

export function delegateMayDelegate(event: AgentEvent, ontology: Ontology): boolean {
  const { may_delegate } = names(ontology);
  return parametersOf(event).leaves.some(
    ({ name, value }) => may_delegate.has(name) && (value === true || value === 'true'),
  );
}

/**
 * Rights that the agent hands over without having them itself: everything, an administrator's role, or actions and
 * tools outside what the customer's policy allows. Sorted.
 */
export function excessRights(event: AgentEvent, ontology: Ontology, policy: CompiledPolicy): string[] {
  const { rights, tools, unlimited } = names(ontology);
  const excess = new Set<string>();
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string') continue;
    const is_right = rights.has(name);
    const is_tool = tools.has(name);
    if (!is_right && !is_tool) continue;
    const right = asciiLower(value.trim());
    if (unlimited.has(right) || (is_right && exceedsActions(right, policy))) excess.add(right);
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

const isOwnName = (value: Leaf['value'], event: AgentEvent, ontology: Ontology): boolean => {
  const own = asciiLower(event.agent?.agent_id ?? '');
  const named = typeof value === 'string' ? asciiLower(value.trim()) : '';
  return names(ontology).own_agent.has(named) || (own.length >= 4 && named === own);
};

/** The agent names itself as the one who approved. */
export function approverIsAgent(event: AgentEvent, ontology: Ontology): boolean {
  const { approvers } = names(ontology);
  return parametersOf(event).leaves.some(({ name, value }) => approvers.has(name) && isOwnName(value, event, ontology));
}

/** A parameter names the acting agent as the thing that is acted on. */
export function targetsItself(event: AgentEvent, ontology: Ontology): boolean {
  if (isOwnName(event.target?.resource_id ?? '', event, ontology)) return true;
  const { own_copy } = names(ontology);
  return parametersOf(event).leaves.some(({ name, value }) => own_copy.test(name) && isOwnName(value, event, ontology));
}
