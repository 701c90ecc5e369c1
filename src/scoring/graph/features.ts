/**
 * The features of each kind of node, as tables: what `docs/structural-layer.md` lists and the network reads. Each is 0-1 and worded so
 * that more never means less risk: the network's weights are not negative, so that no feature can lower a score.
 */

import type { Facts } from '../facts/fact-table.ts';
import type { Instruction } from '../read/orders/instruction.ts';
import type { StepSigns } from '../read/past/sequence.ts';
import type { Argument } from '../read/values/argument.ts';
import { rise, yes } from '../shares.ts';
import type { Finding } from '../types.ts';
import type { NodeKind } from './event-graph.ts';

export interface Feature<T> {
  name: string;
  /** One phrase for people. */
  about: string;
  of: (thing: T) => number;
}

/** What the rules say of the action in all. */
export interface Verdict {
  /** 0-100, of the built-in findings. */
  policy_score: number;
  findings: readonly Finding[];
}

export interface MessageThing {
  /** The agent's own command or file of the user's project brought it. */
  is_workspace: boolean;
  /** 0-1, of the strongest order in it. */
  order: number;
  /** It holds the value of an argument that decides whom or what the action reaches, and that the user did not name. */
  provides_decisive: boolean;
}

export interface ArgumentThing {
  argument: Argument;
  /** Its role says whom or what the action reaches. */
  is_decisive: boolean;
  /** There is a request: without one, nothing can be said to be missing in it. */
  has_request: boolean;
}

export interface DataThing {
  /** 0-4 */
  severity: number;
  confidence: number;
  is_carried: boolean;
  /** Carried in another form than it was read. */
  is_disguised: boolean;
}

const highest = (findings: readonly Finding[], of: (finding: Finding) => number): number => {
  let most = 0;
  for (const finding of findings) most = Math.max(most, of(finding));
  return most;
};

/** The findings in all. They stand first in the node of the action, because training varies them (`tools/training/variants.ts`). */
export const VERDICT_FEATURES: readonly Feature<Verdict>[] = [
  { name: 'policy_weak', about: 'policy layer, 0 to 40', of: (v) => rise(v.policy_score, 0, 40) },
  { name: 'policy_clear', about: 'policy layer, 40 to 80', of: (v) => rise(v.policy_score, 40, 80) },
  { name: 'policy_grave', about: 'policy layer, 80 to 96', of: (v) => rise(v.policy_score, 80, 96) },
  { name: 'policy_full', about: 'policy layer, 96 to 100', of: (v) => rise(v.policy_score, 96, 100) },
  {
    name: 'floor',
    about: 'highest floor of a finding',
    of: (v) =>
      rise(
        highest(v.findings, (f) => f.floor),
        30,
        81,
      ),
  },
  {
    name: 'grounds',
    about: 'findings of different families, 3 or more is 1',
    of: (v) => rise(familiesOf(v.findings), 0, 3),
  },
  {
    name: 'strongest',
    about: 'contribution of the strongest finding',
    of: (v) => highest(v.findings, (f) => f.contribution) / 100,
  },
  { name: 'surest', about: 'confidence of the surest finding', of: (v) => highest(v.findings, (f) => f.confidence) },
];

function familiesOf(findings: readonly Finding[]): number {
  const seen: string[] = [];
  for (const { family } of findings) if (!seen.includes(family)) seen.push(family);
  return seen.length;
}

export const ACTION_FEATURES: readonly Feature<Facts>[] = [
  { name: 'changes', about: 'it changes something', of: (f) => yes(f.bool('is_mutating')) },
  { name: 'irreversible', about: 'how hard it is to undo', of: (f) => f.int('reversibility') / 4 },
  { name: 'outward', about: 'it reaches outside', of: (f) => yes(f.bool('is_outward')) },
  {
    name: 'irreversible_outward',
    about: 'both together',
    of: (f) => (yes(f.bool('is_outward')) * f.int('reversibility')) / 4,
  },
  {
    name: 'change_not_asked',
    about: 'it changes something that the request does not cover',
    of: (f) => yes(f.bool('has_request') && f.bool('is_mutating') && !f.bool('request_covers_action')),
  },
  {
    name: 'sensitive_change',
    about: 'it changes something with sensitive data',
    of: (f) => (yes(f.bool('is_mutating')) * f.int('data_severity')) / 4,
  },
  {
    name: 'ordered_outside',
    about: 'an order in text from outside speaks of this action',
    of: (f) => f.get('outside_order_strength') as number,
  },
  {
    name: 'goal_only_outside',
    about: 'its goal stands in text from outside only',
    of: (f) => yes(f.bool('goal_is_only_in_untrusted')),
  },
  {
    name: 'order_followed',
    about: 'it does what an order from outside says',
    of: (f) => f.get('echoed_strength') as number,
  },
  { name: 'unknown', about: 'the action is not known', of: (f) => yes(f.bool('verb_is_unknown')) },
  {
    name: 'unresolved',
    about: 'a command is known only when it runs',
    of: (f) => yes(f.string('unresolved_command') !== ''),
  },
  { name: 'unparsed', about: 'content could not be parsed', of: (f) => yes(f.bool('content_is_unparsed')) },
  {
    name: 'code_effects',
    about: 'code in the parameters has effects, two kinds or more is 1',
    of: (f) => rise(f.strings('content_effects').length, 0, 2),
  },
  {
    name: 'wide_effects',
    about: 'one of them reaches many objects',
    of: (f) => yes(f.strings('wide_effects').length > 0),
  },
  {
    name: 'stored_effects',
    about: 'stored code would have effects when it runs, two kinds or more is 1',
    of: (f) => rise(f.strings('stored_effects').length, 0, 2),
  },
  {
    name: 'payload',
    about: 'a parameter holds code for what receives it',
    of: (f) => yes((f.get('payloads') as readonly object[]).length > 0),
  },
  {
    name: 'beyond_own_work',
    about: 'it is not everyday work on the user’s own project',
    of: (f) => yes(!f.bool('is_own_work')),
  },
  {
    name: 'physical_hazard',
    about: 'a step that does harm after the steps before it',
    of: (f) => yes(f.string('physical_hazard') !== ''),
  },
];

export const FINDING_FEATURES: readonly Feature<Finding>[] = [
  { name: 'contribution', about: 'its contribution', of: (f) => Math.max(0, f.contribution) / 100 },
  { name: 'floor', about: 'its floor', of: (f) => f.floor / 100 },
  { name: 'confidence', about: 'its confidence', of: (f) => f.confidence },
];

export const ORDER_FEATURES: readonly Feature<Instruction>[] = [
  { name: 'strength', about: 'how clearly it orders', of: (o) => o.strength },
  { name: 'followed', about: 'the action does what it says', of: (o) => yes(o.is_echoed) },
  { name: 'in_identifier', about: 'it stands in a name', of: (o) => yes(o.is_in_identifier) },
];

export const MESSAGE_FEATURES: readonly Feature<MessageThing>[] = [
  {
    name: 'distrust',
    about: 'a stranger may have written it: 1; the user’s own project: 0.3',
    of: (m) => (m.is_workspace ? 0.3 : 1),
  },
  { name: 'orders', about: 'strength of the strongest order in it', of: (m) => m.order },
  {
    name: 'decides',
    about: 'it holds a value that decides whom or what the action reaches',
    of: (m) => yes(m.provides_decisive),
  },
];

/** 1: text from outside alone holds the value. Half where the user left the choice to a source or a look-up returned it. */
const foreign = (a: Argument): number => (a.provenance !== 'tool' ? 0 : a.is_delegated || a.is_looked_up ? 0.5 : 1);
const invented = ({ argument: a, has_request }: ArgumentThing): number =>
  a.provenance === 'tool' ? foreign(a) : yes(has_request && a.provenance === 'none');

export const ARGUMENT_FEATURES: readonly Feature<ArgumentThing>[] = [
  {
    name: 'not_the_users',
    about: 'its value does not stand in the user’s words',
    of: ({ argument: a, has_request }) => yes(a.provenance === 'tool' || (has_request && a.provenance === 'none')),
  },
  { name: 'foreign', about: 'its value stands in text from outside only', of: ({ argument }) => foreign(argument) },
  {
    name: 'decisive_foreign',
    about: 'the same of a value that decides whom or what the action reaches',
    of: ({ argument, is_decisive }) => (is_decisive ? foreign(argument) : 0),
  },
  {
    name: 'decisive_invented',
    about: 'such a value that the user did not give',
    of: (thing) => (thing.is_decisive ? invented(thing) : 0),
  },
  {
    name: 'outside',
    about: 'it names a place outside the organisation; not known: 0.3',
    of: ({ argument: a }) => (a.external === 'yes' ? 1 : a.external === 'unknown' ? 0.3 : 0),
  },
  { name: 'replaces', about: 'the user named another value', of: ({ argument }) => yes(argument.replaces !== '') },
  {
    name: 'imitates',
    about: 'it imitates a value that the user named',
    of: ({ argument }) => yes(argument.imitates !== ''),
  },
];

export const EARLIER_FEATURES: readonly Feature<StepSigns>[] = [
  { name: 'reads_secret', about: 'it read a secret', of: (s) => yes(s.reads_secret) },
  { name: 'reads_sensitive', about: 'it read sensitive data', of: (s) => yes(s.reads_sensitive) },
  { name: 'reads_foreign', about: 'it read what strangers can write', of: (s) => yes(s.reads_untrusted) },
  { name: 'discovers', about: 'it looked for rights', of: (s) => yes(s.discovers) },
];

export const DATA_FEATURES: readonly Feature<DataThing>[] = [
  { name: 'severity', about: 'how sensitive they are', of: (d) => d.severity / 4 },
  { name: 'certain', about: 'severity, times how sure the class is', of: (d) => (d.severity / 4) * d.confidence },
  { name: 'carried', about: 'the session read them and this action carries them', of: (d) => yes(d.is_carried) },
  { name: 'disguised', about: 'in another form than they were read', of: (d) => yes(d.is_disguised) },
];

const EXPOSURE: Readonly<Record<string, number>> = {
  none: 0,
  user: 0,
  internal: 0.2,
  unknown: 0.5,
  external: 0.8,
  public: 1,
};

export const DESTINATION_FEATURES: readonly Feature<Facts>[] = [
  {
    name: 'exposure',
    about: 'internal 0.2, not known 0.5, outside 0.8, public 1',
    of: (f) => EXPOSURE[f.string('sink')] ?? 0.5,
  },
  { name: 'collector', about: 'a host that collects for anybody', of: (f) => yes(f.bool('destination_is_collector')) },
  {
    name: 'not_named_by_user',
    about: 'the user did not name it',
    of: (f) => yes(f.bool('has_request') && !f.bool('destination_is_named_by_user')),
  },
];

export const TARGET_FEATURES: readonly Feature<Facts>[] = [
  { name: 'sensitivity', about: 'how sensitive it is', of: (f) => f.int('sensitivity') / 4 },
  { name: 'production', about: 'it is in production', of: (f) => yes(f.bool('target_is_production')) },
  { name: 'unbounded', about: 'the action has no bound on how many objects', of: (f) => yes(f.bool('is_unbounded')) },
];

export const AGENT_FEATURES: readonly Feature<Facts>[] = [
  {
    name: 'delegation',
    about: 'depth of delegation, 3 or more is 1',
    of: (f) => rise(f.int('delegation_depth'), 0, 3),
  },
  {
    name: 'excess_rights',
    about: 'it hands over more rights than allowed',
    of: (f) => yes(f.strings('excess_rights').length > 0),
  },
  {
    name: 'unverified_server',
    about: 'its tool server is not verified',
    of: (f) => yes(f.bool('server_is_unverified')),
  },
  {
    name: 'imitated_server',
    about: 'its tool server imitates a known one',
    of: (f) => yes(f.string('imitated_server') !== ''),
  },
];

export const REQUEST_FEATURES: readonly Feature<Facts>[] = [
  { name: 'prohibits', about: 'the user excluded this effect', of: (f) => yes(f.bool('effect_is_prohibited')) },
  { name: 'refused', about: 'a person refused', of: (f) => yes(f.bool('was_refused')) },
];

interface Described {
  name: string;
  about: string;
}

/** Every feature by kind of node, in the order in which the network reads them. */
export const FEATURES: Readonly<Record<NodeKind, readonly Described[]>> = {
  action: [...VERDICT_FEATURES, ...ACTION_FEATURES],
  finding: FINDING_FEATURES,
  order: ORDER_FEATURES,
  message: MESSAGE_FEATURES,
  argument: ARGUMENT_FEATURES,
  earlier_action: EARLIER_FEATURES,
  data: DATA_FEATURES,
  destination: DESTINATION_FEATURES,
  target: TARGET_FEATURES,
  agent: AGENT_FEATURES,
  request: REQUEST_FEATURES,
};
