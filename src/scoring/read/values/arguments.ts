/** Every leaf of the parameters with its role, its kind and where its value comes from. */

import { withoutWrittenFiles } from '../../../effects/shell/carried-texts.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { isAgreedValue } from '../conversation/agreed.ts';
import { writtenByOthers } from '../conversation/authors.ts';
import { type Corpus, corpusOf } from '../conversation/corpus.ts';
import { forOwnWork } from '../conversation/heeded.ts';
import { type Order, ordersOf, STEERING } from '../conversation/order-sentences.ts';
import { type Request, requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { embeddedValues } from '../words/embedded.ts';
import { imitates } from '../words/lookalike.ts';
import { readValue, unfoldedHost, type Value } from '../words/normalise.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { hashedList } from '../words/word-lists.ts';
import { type Argument, isPassage } from './argument.ts';
import { isDelegated } from './delegation.ts';
import { type Organisation, organisationOf, sideOf } from './hosts.ts';
import { NOWHERE, type Place } from './locate.ts';
import { namedValues } from './named-values.ts';
import { keepOutsidePlaces } from './outside-places.ts';
import { type Trace, traceValue } from './provenance.ts';
import { answersLookUp } from './records/directory.ts';
import { roleOf, roleOfKey } from './roles.ts';
import { replacedValue } from './substitution.ts';

export const MAX_ARGUMENTS = 2_000;

interface Context {
  corpus: Corpus;
  vocabulary: Vocabulary;
  action: ActionReading;
  request: Request;
  orders: Order[];
  /** Verb groups of the action, as bits. */
  own_groups: number;
  isOthers: (order: Order) => boolean;
  text: TextReading;
  organisation: Organisation;
}

export function readArguments(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
  internal_domains?: ReadonlySet<string>,
): Argument[] {
  const { leaves } = parametersOf(event);
  if (leaves.length === 0) return [];
  const context: Context = {
    corpus: corpusOf(text),
    vocabulary: vocabularyOf(ontology),
    action,
    request: requestOf(text, ontology),
    orders: ordersOf(text, ontology),
    isOthers: writtenByOthers(text, requestOf(text, ontology)),
    own_groups: actionWordsOf(action, vocabularyOf(ontology)).own_groups,
    text,
    organisation: organisationOf(event, ontology, internal_domains),
  };
  const read: Argument[] = [];
  for (const leaf of leaves) {
    if (read.length >= MAX_ARGUMENTS) break;
    readLeaf(leaf, context, read);
  }
  return read;
}

function readLeaf(leaf: Leaf, context: Context, into: Argument[]): void {
  const candidates = roleOfKey(context.vocabulary.ontology, context.action, leaf.key);
  const value = readValue(leaf.value, candidates[0] ?? '', context.vocabulary.ontology);
  const role = roleOf(context.vocabulary.ontology, candidates, value, leaf.key, context.action);
  into.push(argumentOf(leaf.path, role, value, context));
  if (value.kind !== 'phrase' && value.kind !== 'command') return;
  // A command reaches the hosts that it names. A letter only mentions them.
  const line = value.kind === 'command' ? withoutWrittenFiles(value.text) : '';
  for (const [i, inner] of embeddedValues(value.text, context.vocabulary.ontology).entries()) {
    // `user.ID` of a source file is not a host that the command reaches.
    const isReached = inner.kind === 'url' || (inner.kind === 'host' && line.includes(inner.text));
    const innerRole = value.kind === 'command' && isReached ? inner.kind : '';
    into.push(argumentOf(`${leaf.path}#${i}`, innerRole, inner, context));
  }
}

function argumentOf(path: string, role: string, value: Value, context: Context): Argument {
  const { corpus, vocabulary, organisation } = context;
  const { provenance, outside } = agreed(value, traceValue(corpus, vocabulary, value, role), context);
  const isOwn = provenance === 'user' || provenance === 'short';
  const replaces = isOwn ? '' : replacedValue(role, value, context.action, corpus, vocabulary.ontology);
  // A user who names a value has not left its choice to a source.
  const mayDelegate = !isOwn && replaces === '' && !isUnaskedBlindCopy(path, role, corpus);
  const is_delegated = mayDelegate && isDelegated(role, value, outside, context);
  const argument: Argument = {
    path,
    role,
    kind: value.kind,
    value: value.text,
    provenance,
    is_delegated,
    is_left_open: mayDelegate && isDelegated(role, value, NOWHERE, context),
    is_looked_up: provenance === 'tool' && answersLookUp(value, outside, corpus, vocabulary),
    is_ordered: provenance === 'tool' && outside.some((place) => isInOrderingMessage(place, context)),
    is_of_workspace:
      provenance === 'tool' &&
      (role === 'command' || isPassage({ kind: value.kind, value: value.text })) &&
      isOfWorkspace(value, role, context),
    external: isExternal(value, organisation, vocabulary.ontology),
    replaces,
    imitates: isOwn ? '' : imitatedValue(value, corpus),
  };
  if (!isOwn) keepOutsidePlaces(argument, outside, corpus);
  return argument;
}

function isOfWorkspace(value: Value, role: string, { text, vocabulary }: Context): boolean {
  const heeded = forOwnWork(text);
  return heeded !== text && traceValue(corpusOf(heeded), vocabulary, value, role).provenance !== 'tool';
}

/** A value that the agent proposed and that the user agreed to is the user's own. Prose and commands are more than a value. */
function agreed(value: Value, trace: Trace, { text, vocabulary }: Context): Trace {
  if (trace.provenance === 'user' || trace.provenance === 'short') return trace;
  if (value.kind === 'phrase' || value.kind === 'command') return trace;
  return isAgreedValue(vocabulary.ontology, text, value.text) ? { provenance: 'user', outside: NOWHERE } : trace;
}

/** Nobody answers a mail with a blind copy to somebody else, unless the user says so. */
function isUnaskedBlindCopy(path: string, role: string, { user, ontology }: Corpus): boolean {
  if (role !== 'recipient' || !BLIND_COPY.test(path)) return false;
  return ![...hashedList(ontology, 'blind_copy_words')].some((hash) => user.has(hash));
}

const BLIND_COPY = /(?:^|[._-])bcc/i;

function isInOrderingMessage({ word }: Place, { corpus, orders, own_groups }: Context): boolean {
  const stretch = corpus.tool.stretchOf(word);
  return orders.some((o) => o.stretch === stretch && ((o.groups & own_groups) !== 0 || o.strength >= STEERING));
}

function imitatedValue(value: Value, corpus: Corpus): string {
  if (value.kind === 'number' || value.kind === 'amount' || value.kind === 'phrase' || value.kind === 'command')
    return '';
  const original = namedValues(corpus).find((n) => n.value.kind === value.kind && imitates(value, n.value));
  return original?.value.text ?? '';
}

const SIDES = { internal: 'no', external: 'yes', unknown: 'unknown' } as const;

/** Addresses show which side they are on, accounts do not, and other values are no destinations. */
function isExternal(value: Value, organisation: Organisation, ontology: Ontology): Argument['external'] {
  const { kind } = value;
  if (kind === 'account' || kind === 'card') return 'unknown';
  if (kind !== 'email' && kind !== 'url' && kind !== 'host') return 'no';
  return SIDES[sideOf(unfoldedHost(value), organisation.own, ontology, organisation.configured)];
}
