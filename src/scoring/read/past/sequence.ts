/** The earlier actions of the session, as `preceding_actions` claims them. A claim may raise a score and never lowers it. */

import type { AgentEvent } from '../../../events/event.ts';
import { perEvent } from '../../../events/working-copy.ts';
import { distinct } from '../../../lang/in-order.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { Ontology, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { type ImpliedClass, impliedClasses } from '../action/implied-class.ts';
import { domainOf } from '../action/naming/action-domain.ts';
import { claimedVerb } from '../words/claimed-verb.ts';
import { verbLookup } from '../words/verb-table.ts';

export interface SequenceReading {
  /** Verb groups of the earlier actions, in order. */
  groups: string[];
  has_read_secret: boolean;
  has_read_sensitive: boolean;
  /** Something from outside was read: browser, mail, web, public issue, shared document. */
  has_read_untrusted: boolean;
  has_packaged: boolean;
  has_granted: boolean;
  has_discovered: boolean;
  has_changed_payee: boolean;
  /** How often this very action stands among the last ten. */
  repeats: number;
}

/** Bound on the different actions that are read, half from each end, so that a long list neither hides the first ones nor costs more. */
const MAX_DISTINCT = 400;
/** Bound on the actions whose order is kept; older ones say little. */
const MAX_GROUPS = 200;
const REPEAT_WINDOW = 10;

const words = perOntology((ontology) => ({
  reading: setOf(ontology, 'reading_groups'),
  changing: setOf(ontology, 'changing_groups'),
  data_taking: setOf(ontology, 'data_taking_verbs'),
  sensitive: setOf(ontology, 'sensitive_classes'),
  source_domains: setOf(ontology, 'source_domains'),
  source_scopes: setOf(ontology, 'source_scopes'),
  packaging_verbs: setOf(ontology, 'packaging_verbs'),
  packaging_words: setOf(ontology, 'packaging_words'),
  discovery: setOf(ontology, 'discovery_words'),
  payees: setOf(ontology, 'payee_words'),
  money_domains: setOf(ontology, 'money_domains'),
}));

export interface Step {
  verb: VerbEntry | undefined;
  group: string;
  domain: string;
  /** Words of all three segments, singular. */
  words: ReadonlySet<string>;
  implied: readonly ImpliedClass[];
  signs: StepSigns;
}

/** What one earlier action says about the session by itself. */
export interface StepSigns {
  /** Took data in: an unknown verb may have. */
  is_read: boolean;
  reads_secret: boolean;
  reads_sensitive: boolean;
  reads_untrusted: boolean;
  packages: boolean;
  discovers: boolean;
  changes_payee: boolean;
}

const stepsByAction = perOntology((ontology) => remembering((action) => stepOf(action, ontology)));

/** Reads one earlier action by its name. For the verb `call` the words of the scope decide. */
function stepOf(action: string, ontology: Ontology): Step {
  const [domain = '', scope = '', verb = ''] = action.slice(0, 256).split(':');
  const lookup = verbLookup(ontology);
  const entry = claimedVerb({ domain, scope, verb }, '', undefined, lookup);
  const known = {
    verb: entry,
    group: entry?.group ?? 'unknown',
    domain: (domainOf(domain, ontology) ?? domainOf(scope, ontology))?.domain ?? '',
    words: new Set([domain, scope, verb].flatMap(wordsOf).map(singular)),
    implied: impliedClasses(domain, scope, ontology),
  };
  return { ...known, signs: signsOf(known, ontology) };
}

function signsOf({ verb, group, domain, words: own, implied }: Omit<Step, 'signs'>, ontology: Ontology): StepSigns {
  const known = words(ontology);
  const name = verb?.verb ?? '';
  const is_read = known.reading.has(group) || group === 'unknown' || known.data_taking.has(name);
  return {
    is_read,
    reads_secret: is_read && implied.some(({ data_class }) => data_class === 'secret'),
    reads_sensitive: is_read && implied.some(({ data_class }) => known.sensitive.has(data_class)),
    reads_untrusted: is_read && (known.source_domains.has(domain) || hasAny(own, known.source_scopes)),
    packages: known.packaging_verbs.has(name) || hasAny(own, known.packaging_words),
    discovers: is_read && group !== 'unknown' && (domain === 'iam' || hasAny(own, known.discovery)),
    changes_payee: known.changing.has(group) && known.money_domains.has(domain) && hasAny(own, known.payees),
  };
}

function hasAny(own: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const word of own) if (wanted.has(word)) return true;
  return false;
}

/** The earlier actions of an event. */
export interface Steps {
  /** The different actions, and beside each what it was. */
  names: readonly string[];
  steps: readonly Step[];
  /** What each action was, in their order, repeated ones included; undefined beyond the bound on different ones. */
  each: readonly (Step | undefined)[];
  /** The newest of them, without gaps. */
  newest: readonly Step[];
}

/** The earlier actions, read once for all readings of an event. */
export const stepsOf: (event: AgentEvent, ontology: Ontology) => Steps = perEvent((event, ontology: Ontology) =>
  event.preceding_actions === undefined || event.preceding_actions.length === 0
    ? NO_STEPS
    : readSteps(event.preceding_actions, ontology),
);

const NO_STEPS: Steps = { names: [], steps: [], each: [], newest: [] };
/** Up to here a search costs less than a map. */
const FEW = 24;

const isRead = (step: Step | undefined): step is Step => step !== undefined;

function readSteps(preceding_actions: readonly string[], ontology: Ontology): Steps {
  const all = distinct(preceding_actions);
  const half = MAX_DISTINCT / 2;
  const names = all.length > MAX_DISTINCT ? [...all.slice(0, half), ...all.slice(-half)] : all;
  const steps = names.map(stepsByAction(ontology));
  const each = names.length === preceding_actions.length ? steps : eachOf(preceding_actions, names, steps);
  return {
    names,
    steps,
    each,
    newest: each === steps ? steps.slice(-MAX_GROUPS) : each.slice(-MAX_GROUPS).filter(isRead),
  };
}

function eachOf(actions: readonly string[], names: readonly string[], steps: readonly Step[]): (Step | undefined)[] {
  if (names.length <= FEW) return actions.map((action) => steps[names.indexOf(action)]);
  const by_name = new Map(names.map((name, i) => [name, steps[i]]));
  return actions.map((action) => by_name.get(action));
}
/** Classes of data that the earlier reads brought in, by domain and scope. */
export function classesRead(event: AgentEvent, ontology: Ontology): string[] {
  const { sensitive } = words(ontology);
  const classes: string[] = [];
  for (const { signs, implied } of stepsOf(event, ontology).steps) {
    if (!signs.reads_sensitive) continue;
    for (const { data_class } of implied)
      if (sensitive.has(data_class) && !classes.includes(data_class)) classes.push(data_class);
  }
  return classes;
}

export function readSequence(event: AgentEvent, ontology: Ontology, action: ActionReading): SequenceReading {
  const { each, steps } = stepsOf(event, ontology);
  const reading: SequenceReading = {
    groups: each.slice(-MAX_GROUPS).map((step) => step?.group ?? 'unknown'),
    has_read_secret: false,
    has_read_sensitive: false,
    has_read_untrusted: false,
    has_packaged: false,
    has_granted: false,
    has_discovered: false,
    has_changed_payee: false,
    repeats: repeatsOf(action, event.preceding_actions ?? []),
  };
  for (const { group, signs } of steps) {
    reading.has_read_secret ||= signs.reads_secret;
    reading.has_read_sensitive ||= signs.reads_sensitive;
    reading.has_read_untrusted ||= signs.reads_untrusted;
    reading.has_packaged ||= signs.packages;
    reading.has_granted ||= group === 'grant_escalate';
    reading.has_discovered ||= signs.discovers;
    reading.has_changed_payee ||= signs.changes_payee;
  }
  return reading;
}

function repeatsOf({ domain, scope, verb }: ActionReading, earlier: readonly string[]): number {
  if (earlier.length === 0) return 0;
  const self = `${domain}:${scope}:${verb}`;
  let repeats = 0;
  for (let i = Math.max(0, earlier.length - REPEAT_WINDOW); i < earlier.length; i += 1)
    if (earlier[i] === self) repeats += 1;
  return repeats;
}
