/** Whether an action fits what the user asked for, and who else asked for it. */
import type { Ontology } from '../ontology.ts';
import type { ActionReading } from './action.ts';
import { type ActionWords, actionWordsOf, mentions } from './action-words.ts';
import type { Argument } from './argument.ts';
import { type Corpus, corpusOf } from './corpus.ts';
import { type Order, ordersOf, PLAIN, STEERING } from './orders.ts';
import { outsidePlaces } from './outside-places.ts';
import { type Request, requestOf } from './request.ts';
import { memoOf, type TextReading } from './text.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';
import { isTellingValue } from './words-of-text.ts';

export interface Fit {
  covers: boolean;
  only_outside: boolean;
  /** The user named this very effect. */
  asks_effect: boolean;
  /** The request speaks of the action's domain or object. */
  has_topic: boolean;
  /** Domain, object or a value of the action is the user's. */
  is_related: boolean;
}

/** Effects that belong to a request for another one, when the object fits. Looking and signing in belong to any. */
const SERVES: Readonly<Record<string, readonly string[]>> = {
  create: [
    'update',
    'send',
    'share_publish',
    'transfer_pay',
    'memory',
    'decide',
    'configure',
    'execute',
    'export_exfiltrate',
    'grant_escalate',
  ],
  update: ['create', 'configure', 'delete', 'decide', 'transfer_pay', 'execute', 'grant_escalate', 'send'],
  delete: ['update'],
  transfer_pay: ['create', 'update', 'decide'],
  send: ['share_publish', 'create', 'decide', 'grant_escalate', 'update'],
  share_publish: ['send', 'create', 'decide', 'grant_escalate'],
  deploy_change: ['execute', 'update', 'configure', 'create'],
  grant_escalate: ['share_publish', 'create', 'configure', 'send', 'update', 'delete'],
  configure: ['update', 'create', 'physical', 'execute', 'grant_escalate'],
  disable_security: ['configure'],
  export_exfiltrate: ['read', 'create', 'execute', 'send', 'share_publish'],
  decide: ['update', 'share_publish', 'create'],
  memory: ['create', 'update'],
  delegate_agents: ['send', 'create', 'execute'],
  physical: ['configure', 'execute', 'update', 'send', 'decide', 'create'],
  commit_legal: ['decide', 'create', 'update', 'transfer_pay'],
};
/** What is usual on the way to anything. */
const PREPARES = new Set(['read', 'list_search', 'authenticate']);

/** Running something can serve any wish; what it does to whom is told by its effects. */
const MEANS = new Set(['execute', 'unknown']);
/** Served by another wish only when the request speaks of the same things: a shared file name is not enough. */
const GRAVE = new Set([
  'transfer_pay',
  'delete',
  'grant_escalate',
  'disable_security',
  'export_exfiltrate',
  'impersonate',
  'commit_legal',
]);

interface Known {
  action: ActionReading;
  args: Argument[];
  fit: Fit;
}

export function fitOf(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): Fit {
  const known = memoOf(text).get<{ last: Known | null }>('fit', () => ({ last: null }));
  if (known.last?.action === action && known.last.args === args) return known.last.fit;
  const fit = judge(ontology, action, args, text);
  known.last = { action, args, fit };
  return fit;
}

function judge(ontology: Ontology, action: ActionReading, args: Argument[], text: TextReading): Fit {
  const request = requestOf(text, ontology);
  if (!request.has_words)
    return { covers: false, only_outside: false, asks_effect: false, has_topic: false, is_related: false };
  const vocabulary = vocabularyOf(ontology);
  const corpus = corpusOf(text);
  const words = actionWordsOf(action, vocabulary);
  const asks_effect = (request.groups & words.own_groups) !== 0;
  const hasTopic = isOnTopic(request, words, corpus, vocabulary, action);
  const is_related = hasTopic || sharesValue(args, vocabulary);
  const ordered = orderedOutside(ordersOf(text, ontology), words, corpus, args, PREPARES.has(action.effective_group));
  const covers =
    !ordered.is_dictated && isCovered(action, request, vocabulary, asks_effect, hasTopic, is_related, ordered.strength);
  // To look at something is part of any wish, so there only the object counts.
  const isWish = asks_effect && !PREPARES.has(action.effective_group);
  const only_outside = !covers && !isWish && !is_related && (ordered.strength > 0 || namedOutside(words, corpus));
  return { covers, only_outside, asks_effect, has_topic: hasTopic, is_related };
}

function isCovered(
  action: ActionReading,
  request: Request,
  { bitOf }: Vocabulary,
  asksEffect: boolean,
  hasTopic: boolean,
  isRelated: boolean,
  ordered: number,
): boolean {
  // «Do what the mail says»: then a plain sentence of the mail is the task, and nobody else's word is.
  if (request.is_open_ended && ordered > 0 && ordered < STEERING) return true;
  const isWanted = asksEffect || (PREPARES.has(action.effective_group) && request.groups !== 0);
  if (isWanted) return isRelated || ordered === 0;
  const serving = SERVES[action.effective_group] ?? [];
  if (PREPARES.has(action.effective_group)) return isRelated;
  const serves = MEANS.has(action.effective_group) || serving.some((group) => (request.groups & bitOf(group)) !== 0);
  return serves && (GRAVE.has(action.effective_group) ? hasTopic : isRelated) && ordered < STEERING;
}

/** The request speaks of the domain or of an object of the action. */
function isOnTopic(
  request: Request,
  words: ActionWords,
  corpus: Corpus,
  vocabulary: Vocabulary,
  action: ActionReading,
): boolean {
  if (request.domains.has(action.known_domain)) return true;
  const { user } = corpus;
  for (const hash of words.topics) {
    if (user.has(hash)) return true;
    if (vocabulary.domains.get(hash)?.some((domain) => request.domains.has(domain))) return true;
  }
  return false;
}

/** A value of the action is the user's. A number alone ties nothing together. */
function sharesValue(args: Argument[], { words: table }: Vocabulary): boolean {
  return args.some((arg) => {
    if (arg.kind === 'number' || arg.kind === 'amount' || arg.kind === 'flag') return false;
    return arg.provenance === 'user' && isTellingValue(arg.value, table, 2);
  });
}

interface Ordered {
  /** Of the strongest order from outside that speaks of this action, 0 when none does. */
  strength: number;
  /** Somebody who poses as an authority gave a value of this action: the user may want such an act, but not this one. */
  is_dictated: boolean;
}

function orderedOutside(
  orders: readonly Order[],
  words: ActionWords,
  corpus: Corpus,
  args: Argument[],
  isLooking: boolean,
): Ordered {
  const found: Ordered = { strength: 0, is_dictated: false };
  const places = orders.length === 0 ? [] : foreignPlaces(corpus, args);
  for (const order of orders) {
    const isSteering = order.strength >= STEERING;
    if (order.strength <= found.strength && (!isSteering || found.is_dictated)) continue;
    const said = mentions(order.words, order.from, order.to, words);
    const isEffect =
      (order.groups & (order.strength > PLAIN && !isLooking ? words.groups : words.own_groups)) !== 0 || said.has_verb;
    const hasObject = isLooking && !isSteering ? said.objects * 2 >= Math.max(1, words.object_count) : said.objects > 0;
    const hasValue = !order.is_decoded && places.some((word) => word >= order.passage_from && word < order.passage_to);
    if (isSteering && hasValue) found.is_dictated = true;
    if (said.has_tool || (isEffect && (hasObject || hasValue)) || (hasValue && isSteering))
      found.strength = Math.max(found.strength, order.strength);
  }
  return found;
}

function foreignPlaces(corpus: Corpus, args: Argument[]): number[] {
  return args
    .slice(0, 200)
    .filter((arg) => arg.kind !== 'flag' && arg.provenance === 'tool')
    .flatMap((arg) => outsidePlaces(arg, corpus).map((p) => p.word));
}

function namedOutside(words: ActionWords, corpus: Corpus): boolean {
  for (const hash of words.objects) if (corpus.tool.has(hash)) return true;
  return false;
}
