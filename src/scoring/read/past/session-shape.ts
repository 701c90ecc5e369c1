/** Loops, sweeps and delegations in the session so far, as `preceding_actions` claims it. A claim may only raise a score. */

import type { AgentEvent } from '../../../events/event.ts';
import { distinct, inOrder } from '../../../lang/in-order.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { type Step, stepsOf } from './sequence.ts';

export interface SessionShape {
  /** Earlier actions that only looked. */
  reads: number;
  /** Different sensitive places (domain and scope) that were looked into. */
  sensitive_places: number;
  /** Earlier actions that started, asked or handed over to other agents. */
  delegations: number;
  /** How often the last two to four different actions, this one included, came round in the same order. */
  cycles: number;
  /** Domains whose records were read. */
  read_domains: readonly string[];
  /** An approval was given by an action of this very session. */
  has_approved: boolean;
  /** Something sensitive was made public, taken out or wiped. */
  has_exposed: boolean;
}

const words = perOntology((ontology) => ({
  looking: setOf(ontology, 'looking_groups'),
  sensitive: setOf(ontology, 'sensitive_classes'),
  exposing: setOf(ontology, 'exposing_verbs'),
  wiping: setOf(ontology, 'wiping_verbs'),
  approving: setOf(ontology, 'approving_verbs'),
}));
type SessionWords = ReturnType<typeof words>;

/** 0-4; below it every mailbox and calendar would count. */
const SENSITIVE_FROM = 3;
/** Only this many last actions can make a loop. */
const LOOP_WINDOW = 64;

const isSensitive = ({ implied }: Step, { sensitive }: SessionWords): boolean =>
  implied.some(({ data_class, severity }) => sensitive.has(data_class) && severity >= SENSITIVE_FROM);

function isExposing(step: Step, known: SessionWords): boolean {
  const verb = step.verb?.verb ?? '';
  return known.exposing.has(verb) || (known.wiping.has(verb) && isSensitive(step, known));
}

/** Rounds of the shortest cycle of two to four different actions at the end of the list; 0 when there is none. */
export function cyclesAtEnd(actions: readonly string[]): number {
  let most = 0;
  const newest = actions.length - 1;
  for (let length = 2; length <= 4; length++) {
    if (isUniform(actions, Math.max(0, actions.length - length))) continue;
    let same = Math.min(length, actions.length);
    while (same < actions.length && actions[newest - same] === actions[newest - (same % length)]) same++;
    most = Math.max(most, Math.floor(same / length));
  }
  return most;
}

/** Is it one action over and over, from this place on? */
function isUniform(actions: readonly string[], from: number): boolean {
  for (let i = from + 1; i < actions.length; i++) if (actions[i] !== actions[from]) return false;
  return true;
}

const NO_SESSION: SessionShape = {
  reads: 0,
  sensitive_places: 0,
  delegations: 0,
  cycles: 0,
  read_domains: [],
  has_approved: false,
  has_exposed: false,
};

const delegates = ({ group, domain }: Step): boolean =>
  group === 'delegate_agents' || (domain === 'agent' && group === 'execute');

export function readSessionShape(event: AgentEvent, ontology: Ontology, action: ActionReading): SessionShape {
  const earlier = event.preceding_actions ?? [];
  if (earlier.length === 0) return NO_SESSION;
  const known = words(ontology);
  const looksOnly = ({ group }: Step): boolean => known.looking.has(group);
  const { names, steps, each } = stepsOf(event, ontology);
  let reads = 0;
  let delegations = 0;
  for (const step of each) {
    if (step === undefined) continue;
    if (looksOnly(step)) reads += 1;
    if (delegates(step)) delegations += 1;
  }
  const places: string[] = [];
  const read_domains: string[] = [];
  let has_approved = false;
  let has_exposed = false;
  for (let i = 0; i < steps.length; i += 1) {
    const step = steps[i]!;
    has_approved ||= known.approving.has(step.verb?.verb ?? '');
    has_exposed ||= isExposing(step, known);
    if (!looksOnly(step)) continue;
    if (step.domain !== '') read_domains.push(step.domain);
    if (isSensitive(step, known)) places.push(names[i]!.split(':', 2).join(':'));
  }
  const self = `${action.domain}:${action.scope}:${action.verb}`;
  return {
    reads,
    sensitive_places: distinct(places).length,
    delegations,
    cycles: cyclesAtEnd([...earlier.slice(-LOOP_WINDOW), self]),
    read_domains: inOrder(read_domains),
    has_approved,
    has_exposed,
  };
}
