/** A change of money, rights or control of which the user's words say nothing: a coupon after a question about orders. */
import type { AgentEvent } from '../../../events/event.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import { joinedName, Recall } from '../../../lang/remember.ts';
import { numberOf } from '../../../lang/written-numbers.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { perRequest } from '../conversation/user-words.ts';
import { hashWord } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { asksAccessForOthers } from './asked/access-for-others.ts';
import { grantFit } from './asked/asked-grant.ts';
import { namesRight } from './asked/named-right.ts';
import { thingsByValue } from './consequence-by-value.ts';
import { givenQuantities } from './contradiction/values/quantities.ts';

const words = perOntology((ontology) => ({
  things: [...tableOf(ontology, 'consequential_things')].map(([kind, names]) => ({
    kind,
    names: names.map((name) => name.split('_')),
  })),
  spoken: new Map(
    [...tableOf(ontology, 'things_spoken_of')].map(([kind, spoken]) => [
      kind,
      spoken.flatMap((word) => [word, `${word}s`, `${word}es`, `${word}d`, `${word}ed`, `${word}ing`]).map(hashWord),
    ]),
  ),
  asked: tableOf(ontology, 'things_asked_by'),
  changing: setOf(ontology, 'consequential_groups'),
  inert: setOf(ontology, 'inert_nouns'),
}));

/** The kind of thing (`coupon`, `bank_details`) that the action changes and the user's words do not speak of; '' if there is none. */
export function unaskedConsequence(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): string {
  const request = requestOf(text, ontology);
  // Without a wish of its own («yes», «go on») a request rests on what was said before.
  if (!request.has_words || request.is_open_ended || request.leaves_work_open) return '';
  const by_name = changedThings(action, ontology);
  const changed =
    by_name.length === 0 && words(ontology).changing.has(action.effective_group)
      ? thingsByValue(event, ontology).filter((kind) => !(kind === BANK_DETAILS && action.effective_group === DECIDE))
      : by_name;
  if (changed.length === 0) return '';
  const { user } = corpusOf(text);
  const { spoken } = words(ontology);
  const { bitOf } = vocabularyOf(ontology);
  const isAsked = (kind: string): boolean =>
    words(ontology)
      .asked.get(kind)
      ?.some((group) => (request.groups & bitOf(group)) !== 0) === true;
  const isSpokenOf = (kind: string): boolean =>
    isAsked(kind) ||
    spoken.get(kind)!.some((hash) => user.has(hash)) ||
    (kind === RIGHTS &&
      (asksAccessForOthers(text) ||
        namesRight(event, ontology, text) ||
        grantFit(event, ontology, action, text) === 'as_asked'));
  // «Down 40 % for all of garden»: the number is the user's, whatever the thing is called in its language.
  const isAskedFor = (request.groups & bitOf(action.effective_group)) !== 0 && givesNumber(event, ontology, text);
  return isAskedFor || changed.some(isSpokenOf) ? '' : changed[0]!;
}

const NUMBER = /(?<![\w.,-])\d{2,12}(?:[.,]\d{1,4}){0,3}(?![\w]|[.,-]\d)/g;
/** Below it a number is in too many texts. */
const LEAST = 10;

/** Numbers that the user gave, whatever stands beside them. */
const numbersOf: (text: TextReading) => ReadonlySet<number> = perRequest(
  (said) => new Set((said.match(NUMBER) ?? []).map(numberOf)),
);

/** Whether a number of the action is one that the user gave: `129.00`, or `45000000` in `daily_budget_micros` for «45 a day». */
function givesNumber(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const said = numbersOf(text);
  if (said.size === 0) return false;
  const isSaid = (value: number): boolean => Math.abs(value) >= LEAST && said.has(Number(Math.abs(value).toFixed(4)));
  return givenQuantities(event, ontology).some(
    ({ value, text: written }) => isSaid(value) || isSaid(numberOf(written)),
  );
}

const RIGHTS = 'rights';
/** What is released or approved holds the account that it goes to, and changes none. */
const BANK_DETAILS = 'bank_details';
const DECIDE = 'decide';

/** The action gives or changes rights, by its names. */
export const widensAccess = (ontology: Ontology, action: ActionReading): boolean =>
  changedThings(action, ontology).includes(RIGHTS);

const changedByName = perOntology(() => new Recall<readonly string[]>());

function changedThings({ scope, verb, tool_name }: ActionReading, ontology: Ontology): readonly string[] {
  return changedByName(ontology).get(joinedName(tool_name, scope, verb), () => {
    const { things, inert } = words(ontology);
    const named = [wordsOf(tool_name), [...wordsOf(scope), ...wordsOf(verb)]].map((of) => of.map(singular));
    if (named.some((of) => of.some((word) => inert.has(word)))) return [];
    return things
      .filter(({ names }) => names.some((name) => named.some((of) => holds(of, name))))
      .map(({ kind }) => kind);
  });
}

const holds = (of: readonly string[], name: readonly string[]): boolean =>
  of.some((_, at) => name.every((word, i) => of[at + i] === word));
