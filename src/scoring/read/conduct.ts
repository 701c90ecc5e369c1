/** How the session went so far, by the order and the domains of `preceding_actions`: claims, which may raise only. */
import type { Ontology } from '../ontology.ts';
import type { AgentEvent } from '../types.ts';
import type { ActionReading } from './action.ts';
import { requestOf } from './request.ts';
import { type Step, stepsInOrder } from './sequence.ts';
import type { TextReading } from './text.ts';
import { entryInName, wordSet } from './word-lists.ts';

const SENDING = new Set(['send', 'share_publish', 'export_exfiltrate']);

/** Earlier actions that sent something out over the same kind of channel as this one. */
export function earlierSends(event: AgentEvent, ontology: Ontology, action: ActionReading): number {
  if (action.known_domain === '') return 0;
  return stepsInOrder(event, ontology).filter(
    ({ group, domain }) => SENDING.has(group) && domain === action.known_domain,
  ).length;
}

/** Rule catalogue, OVR-06: of so many last actions it counts those that ask a person. */
const APPROVAL_WINDOW = 10;

/** How many of the last ten actions asked a person to approve or confirm something. */
export function recentApprovalRequests(event: AgentEvent, ontology: Ontology): number {
  const asking = wordSet(ontology, 'approval_request_verbs');
  return (event.preceding_actions ?? [])
    .slice(-APPROVAL_WINDOW)
    .filter((action) => asking.has(action.slice(0, 256).split(':')[2] ?? '')).length;
}

/** An earlier action, or this one, made content with a model. */
export function contentWasGenerated(event: AgentEvent, ontology: Ontology): boolean {
  const verbs = wordSet(ontology, 'generation_verbs');
  const domains = wordSet(ontology, 'generation_domains');
  return (event.preceding_actions ?? []).slice(-200).some((action) => {
    const [domain = '', , verb = ''] = action.slice(0, 256).split(':');
    return verbs.has(verb) && (domains.has(domain) || domain === 'content' || domain === 'image' || domain === 'video');
  });
}

/** The action takes away a mark that tells that content was generated: by its verb and what it names. */
export function removesMarking(event: AgentEvent, ontology: Ontology, action: ActionReading): boolean {
  if (!/^(?:remove|strip|delete|erase|clean|disable|unset)/.test(action.verb)) return false;
  const names = [action.scope, action.verb, action.tool_name, event.target?.resource_type ?? ''];
  return names.some((name) => entryInName(ontology, 'marking_words', name) !== '');
}

const STAGES: readonly ReadonlySet<string>[] = [
  new Set(['read', 'list_search']),
  new Set(['create', 'update', 'delete', 'configure', 'execute', 'grant_escalate', 'memory']),
  new Set(['send', 'share_publish', 'transfer_pay', 'export_exfiltrate', 'deploy_change']),
];

export interface Drift {
  /** Different known domains, this action's included, that the user's words do not speak of. */
  domains: number;
  /** From looking over changing to reaching outside, or a risk that rose three times in a row. */
  rises: boolean;
}

export function driftOf(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): Drift {
  const steps = stepsInOrder(event, ontology);
  const asked = requestOf(text, ontology).domains;
  const usual = new Set([...asked].flatMap((name) => ontology.domains.get(name)?.usual_companions ?? []));
  const domains = new Set([...steps.map(({ domain }) => domain), action.known_domain]);
  const foreign = [...domains].filter((domain) => domain !== '' && !asked.has(domain) && !usual.has(domain));
  return { domains: foreign.length, rises: hasRisen(steps, action) };
}

function hasRisen(steps: readonly Step[], action: ActionReading): boolean {
  const [a, b] = steps.slice(-2).map(({ verb }) => verb?.base_risk ?? 0);
  if (a !== undefined && b !== undefined && a < b && b < action.base_risk) return true;
  let stage = 0;
  for (const group of [...steps.map((step) => step.group), action.effective_group])
    if (STAGES[stage]?.has(group)) stage += 1;
  return stage === STAGES.length;
}
