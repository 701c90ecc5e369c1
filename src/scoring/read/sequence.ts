/** What came before in the session, as `preceding_actions` claims it: a claim may raise, never lower. */
import type { Ontology, VerbEntry } from '../ontology.ts';
import type { AgentEvent } from '../types.ts';
import type { ActionReading } from './action.ts';
import { domainOf } from './action-domain.ts';
import { type ImpliedClass, impliedClasses } from './implied-class.ts';
import { singular, wordsOf } from './names.ts';
import { lastOnly, perOntology, remembering } from './remember.ts';
import { claimedVerb, verbLookup } from './verb-lookup.ts';

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
  has_deleted: boolean;
  has_changed_payee: boolean;
  /** How often this very action stands among the last ten. */
  repeats: number;
}

/** So many different actions are read, half from each end: more of them must not hide the first ones, nor cost more. */
const MAX_DISTINCT = 400;
/** The order of so many is told; older ones say little. */
const MAX_GROUPS = 200;
const REPEAT_WINDOW = 10;

const READS = new Set(['read', 'list_search', 'export_exfiltrate']);
const READING_VERBS = new Set(['download', 'navigate', 'open', 'import', 'clone', 'copy']);
const SENSITIVE = new Set(['secret', 'PHI', 'financial', 'PII', 'restricted']);
/** Domains whose content strangers can write. */
const OUTSIDE_DOMAINS = new Set([
  'web',
  'browser',
  'email',
  'messaging',
  'social',
  'support',
  'http',
  'drive',
  'wiki',
  'calendar',
  'ecommerce',
  'maps',
  'phone',
]);
/** Scopes of other domains whose content strangers can write. */
const OUTSIDE_SCOPES = new Set([
  'issue',
  'comment',
  'review',
  'ticket',
  'gist',
  'discussion',
  'feedback',
  'attachment',
  'webpage',
  'page',
  'url',
  'post',
  'tweet',
  'email',
  'message',
  'inbox',
  'download',
  'pull',
  'form',
]);
const PACKAGING_VERBS = new Set([
  'archive',
  'copy',
  'clone',
  'backup',
  'snapshot',
  'append',
  'export',
  'dump',
  'extract',
  'replicate',
]);
const PACKAGING_WORDS = new Set([
  'compress',
  'zip',
  'tar',
  'gzip',
  'encode',
  'base64',
  'encrypt',
  'package',
  'bundle',
  'archive',
  'concat',
  'merge',
]);
const DISCOVERY_WORDS = new Set([
  'user',
  'role',
  'permission',
  'account',
  'group',
  'host',
  'network',
  'port',
  'policy',
  'member',
  'identity',
  'instance',
  'privilege',
  'server',
  'whoami',
]);
const PAYEE_WORDS = new Set([
  'payee',
  'beneficiary',
  'iban',
  'bank',
  'account',
  'vendor',
  'recipient',
  'routing',
  'supplier',
  'standing',
]);
const MONEY_DOMAINS = new Set(['bank', 'payment', 'accounting', 'procurement', 'crypto']);
const CHANGES = new Set(['update', 'create', 'configure']);

interface Step {
  verb: VerbEntry | undefined;
  group: string;
  domain: string;
  /** Words of all three segments, singular. */
  words: ReadonlySet<string>;
  implied: readonly ImpliedClass[];
}

const stepsByAction = perOntology((ontology) => remembering((action) => stepOf(action, ontology)));

/** What one earlier action was. The verb `call` says nothing there: the words of the scope tell. */
function stepOf(action: string, ontology: Ontology): Step {
  const [domain = '', scope = '', verb = ''] = action.slice(0, 256).split(':');
  const lookup = verbLookup(ontology);
  const entry = claimedVerb({ domain, scope, verb }, '', undefined, lookup);
  return {
    verb: entry,
    group: entry?.group ?? 'unknown',
    domain: (domainOf(domain, ontology) ?? domainOf(scope, ontology))?.domain ?? '',
    words: new Set([domain, scope, verb].flatMap(wordsOf).map(singular)),
    implied: impliedClasses(domain, scope, ontology),
  };
}

function hasAny(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const word of words) if (wanted.has(word)) return true;
  return false;
}

/** Did it take data in? An unknown verb may have. */
const isRead = ({ group, verb }: Step): boolean =>
  READS.has(group) || group === 'unknown' || READING_VERBS.has(verb?.verb ?? '');

/** The different earlier actions, each read once per event. */
function stepsOf(event: AgentEvent, ontology: Ontology): ReadonlyMap<string, Step> {
  return stepsByEvent(ontology)(event);
}

const stepsByEvent = perOntology((ontology) => lastOnly((event: AgentEvent) => readSteps(event, ontology)));

function readSteps(event: AgentEvent, ontology: Ontology): ReadonlyMap<string, Step> {
  let distinct = [...new Set(event.preceding_actions)];
  if (distinct.length > MAX_DISTINCT)
    distinct = [...distinct.slice(0, MAX_DISTINCT / 2), ...distinct.slice(-MAX_DISTINCT / 2)];
  const read = stepsByAction(ontology);
  return new Map(distinct.map((action) => [action, read(action)]));
}

/** Classes of data that the earlier reads brought in, by domain and scope. */
export function classesRead(event: AgentEvent, ontology: Ontology): string[] {
  const classes = new Set<string>();
  for (const step of stepsOf(event, ontology).values()) {
    if (!isRead(step)) continue;
    for (const { data_class } of step.implied) if (SENSITIVE.has(data_class)) classes.add(data_class);
  }
  return [...classes];
}

export function readSequence(event: AgentEvent, ontology: Ontology, action: ActionReading): SequenceReading {
  const by_action = stepsOf(event, ontology);
  const steps = [...by_action.values()];
  const reads = steps.filter(isRead);
  const readsClass = (classes: ReadonlySet<string>): boolean =>
    reads.some(({ implied }) => implied.some(({ data_class }) => classes.has(data_class)));
  const self = `${action.domain}:${action.scope}:${action.verb}`;
  return {
    groups: (event.preceding_actions ?? [])
      .slice(-MAX_GROUPS)
      .map((earlier) => by_action.get(earlier)?.group ?? 'unknown'),
    has_read_secret: readsClass(new Set(['secret'])),
    has_read_sensitive: readsClass(SENSITIVE),
    has_read_untrusted: reads.some(({ domain, words }) => OUTSIDE_DOMAINS.has(domain) || hasAny(words, OUTSIDE_SCOPES)),
    has_packaged: steps.some(
      ({ verb, words }) => PACKAGING_VERBS.has(verb?.verb ?? '') || hasAny(words, PACKAGING_WORDS),
    ),
    has_granted: steps.some(({ group }) => group === 'grant_escalate'),
    has_discovered: reads.some(
      ({ group, domain, words }) => group !== 'unknown' && (domain === 'iam' || hasAny(words, DISCOVERY_WORDS)),
    ),
    has_deleted: steps.some(({ group }) => group === 'delete'),
    has_changed_payee: steps.some(
      ({ group, domain, words }) => CHANGES.has(group) && MONEY_DOMAINS.has(domain) && hasAny(words, PAYEE_WORDS),
    ),
    repeats: (event.preceding_actions ?? []).slice(-REPEAT_WINDOW).filter((earlier) => earlier === self).length,
  };
}
