/** The course of the session, by the order and domains of `preceding_actions`. These are claims, so they may only raise a score. */

import type { AgentEvent } from '../../../events/event.ts';
import { remembering } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { entryInName, wordSet } from '../words/word-lists.ts';
import { type Step, stepsOf } from './sequence.ts';

const NOTHING: readonly string[] = [];
const words = perOntology((ontology) => ({
  sending: setOf(ontology, 'sending_groups'),
  unmarking: listOf(ontology, 'unmarking_verbs'),
  /** From looking over changing to reaching outside. */
  stages: [...tableOf(ontology, 'session_stages').values()].map((groups) => new Set(groups)),
}));

/** Earlier actions that sent something out over the same kind of channel as this one. */
export function earlierSends(event: AgentEvent, ontology: Ontology, action: ActionReading): number {
  if (action.known_domain === '') return 0;
  const { sending } = words(ontology);
  let sends = 0;
  for (const { group, domain } of stepsOf(event, ontology).newest)
    if (sending.has(group) && domain === action.known_domain) sends += 1;
  return sends;
}

/** Actions that ask a person count among this many last ones (rule catalogue, OVR-06). */
const APPROVAL_WINDOW = 10;

/** How many of the last ten actions asked a person to approve or confirm something. */
export function recentApprovalRequests(event: AgentEvent, ontology: Ontology): number {
  const asking = wordSet(ontology, 'approval_request_verbs');
  const earlier = event.preceding_actions ?? NOTHING;
  let asked = 0;
  for (let i = Math.max(0, earlier.length - APPROVAL_WINDOW); i < earlier.length; i += 1)
    if (asking.has(segmentOf(earlier[i]!, 2))) asked += 1;
  return asked;
}

/** One segment of an action, '' where there is none; nothing is read beyond 256 characters. */
const segmentOf = (action: string, which: number): string => segmentsOf(action)[which] ?? '';
const segmentsOf = remembering((action): readonly string[] => action.slice(0, 256).split(':'));

/** An earlier action, or this one, made content with a model. */
export function contentWasGenerated(event: AgentEvent, ontology: Ontology): boolean {
  const verbs = wordSet(ontology, 'generation_verbs');
  const domains = wordSet(ontology, 'generation_domains');
  return (event.preceding_actions ?? NOTHING).slice(-200).some((action) => {
    const [domain = '', , verb = ''] = segmentsOf(action);
    return verbs.has(verb) && domains.has(domain);
  });
}

/** The action takes away a mark that tells that content was generated: by its verb and what it names. */
export function removesMarking(event: AgentEvent, ontology: Ontology, action: ActionReading): boolean {
  if (!words(ontology).unmarking.some((beginning) => action.verb.startsWith(beginning))) return false;
  const names = [action.scope, action.verb, action.tool_name, event.target?.resource_type ?? ''];
  return names.some((name) => entryInName(ontology, 'marking_words', name) !== '');
}

export interface Drift {
  /** Different known domains, this action's included, that the user's words do not speak of. */
  domains: number;
  /** From looking over changing to reaching outside, or a risk that rose three times in a row. */
  rises: boolean;
}

export function driftOf(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): Drift {
  const steps = stepsOf(event, ontology).newest;
  const asked = requestOf(text, ontology).domains;
  const foreign: string[] = [];
  const note = (domain: string): void => {
    if (domain !== '' && !asked.has(domain) && !foreign.includes(domain)) foreign.push(domain);
  };
  for (const { domain } of steps) note(domain);
  note(action.known_domain);
  for (const name of foreign.length === 0 ? NOTHING : asked)
    for (const companion of ontology.domains.get(name)?.usual_companions ?? NOTHING) {
      const at = foreign.indexOf(companion);
      if (at >= 0) foreign.splice(at, 1);
    }
  return { domains: foreign.length, rises: hasRisen(steps, action, words(ontology).stages) };
}

function hasRisen(steps: readonly Step[], action: ActionReading, stages: readonly ReadonlySet<string>[]): boolean {
  if (steps.length >= 2 && riskOf(steps.at(-2)!) < riskOf(steps.at(-1)!) && riskOf(steps.at(-1)!) < action.base_risk)
    return true;
  let stage = 0;
  for (const { group } of steps) if (stages[stage]?.has(group)) stage += 1;
  if (stages[stage]?.has(action.effective_group)) stage += 1;
  return stage === stages.length;
}

const riskOf = ({ verb }: Step): number => verb?.base_risk ?? 0;
