/**
 * Whether a person confirmed exactly this act in the conversation: the agent told what it is about to do, by what sets this act apart
 * from others, and the user's next words agree. A yes to something else confirms nothing: whatever tells this act from another one of
 * its kind must have stood in front of the user.
 */
import { parametersOf } from '../../../../events/parameters.ts';
import { shapeOf, wordsOf } from '../../../../lang/names.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import { actionWordsOf } from '../../action/naming/action-words.ts';
import { agreesConditionally, agreesToProposal, type Deed, offeredLess } from '../../conversation/answers.ts';
import { STEERING } from '../../conversation/order-sentences.ts';
import type { Instruction } from '../../orders/instruction.ts';
import type { Argument } from '../../values/argument.ts';
import { foldText } from '../../words/fold.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';
import { type OrderParts, removesOwnNames } from '../asked/exact-order.ts';
import { reachOfAll } from '../contradiction/reach/all-instead-of-one.ts';
import { hasCalls } from '../looked-up.ts';
import { changedValue } from '../proposal.ts';
import { holdsSince, isAtAnotherTime, takesWhatIsKept } from './restrictions.ts';
import {
  areWordsShown,
  holds,
  isDrawnOn,
  isInShownFolder,
  isShown,
  isSpokenOf,
  resultsBefore,
  shownTo,
} from './shown-values.ts';
import { namesSibling } from './siblings.ts';
import { tellingValues } from './telling-values.ts';

const graveGroups = perOntology((ontology) => setOf(ontology, 'grave_groups'));

/** What of an event's readings this one needs. */
export interface ConfirmedParts extends OrderParts {
  instructions: readonly Instruction[];
}

/** What the act is called. That something is run says nothing of what it does. */
export function deedOf({ action, ontology }: OrderParts): Deed {
  const vocabulary = vocabularyOf(ontology);
  const { own_groups, verbs } = actionWordsOf(action, vocabulary);
  return { own_groups: own_groups & ~vocabulary.bitOf('execute'), verbs };
}

/** False where the action is unbounded, where orders from outside steer, and where nothing sets it apart. */
export function isConfirmed(parts: ConfirmedParts): boolean {
  const { event, ontology, action, content, arguments: args, heeded_text: text, intent } = parts;
  if (!text.has_request || intent.was_refused || content.dormant_effects.length > 0) return false;
  if (content.has_unbounded_statement && !removesOwnNames(content)) return false;
  if (intent.prohibited_groups.includes(action.effective_group)) return false;
  const deed = deedOf(parts);
  const agrees = agreesToProposal(ontology, text, deed) || (agreesConditionally(ontology, text) && holdsSince(parts));
  if (!agrees || offeredLess(ontology, text, deed)) return false;
  if (takesWhatIsKept(parts) || isAtAnotherTime(parts)) return false;
  if (takesUnlistedValue(parts)) return false;
  // Who steers the agent also steers what it proposes.
  if (parts.instructions.some(({ strength }) => strength >= STEERING)) return false;
  return setsApart(parts) && reachOfAll(event, ontology, action, args, text) === '';
}

/** Whether the act takes another value than the proposal names, and no result lists both: of a list, the named one may be the one to keep. */
function takesUnlistedValue({ event, ontology, arguments: args, heeded_text: text }: ConfirmedParts): boolean {
  const { approved, executed } = changedValue(ontology, args, text);
  const both = [approved, executed].map(foldText);
  return approved !== '' && !resultsBefore(event, text).some((result) => both.every((value) => holds(result, value)));
}

/** Whether what tells this act from others of its kind stood before the user, or in what the agent had looked up and spoke of. */
function setsApart(parts: ConfirmedParts): boolean {
  const { action, ontology, heeded_text: text } = parts;
  const shown = shownTo(text, parts.event.session?.user_id ?? '');
  const telling = tellingValues(parts, shown);
  if (telling.length === 0) return false;
  const isGrave = graveGroups(ontology).has(action.effective_group);
  const strange = strangeRecipients(parts, shown);
  const named = telling.filter(
    (value) => !strange.has(value) && (isShown(value, shown, ontology) || (!isGrave && isInShownFolder(value, shown))),
  );
  if (isHalfNamed(telling, named) || addsSwitches(parts, shown)) return false;
  const isDecisive = isGrave || parts.content.languages.length > 0;
  const results = resultsBefore(parts.event, text).filter((result) => isSpokenOf(result, shown));
  // A host that records no calls does not tell what was put there: of a grave act such a text tells nothing but what was spoken of.
  const isCertain = !isDecisive || hasCalls(parts.event, text);
  const certain = isCertain ? results : results.filter((result) => isDrawnOn(result, parts.event, text));
  const accounts = new Set(parts.arguments.filter(isAccount).map(({ value }) => foldText(value)));
  // The writer of a bill chooses the account in it: a second document must give the same account.
  const isKnown = (value: string): boolean => {
    const telling_it = isCertain || !areWordsShown(value, shown) ? certain : results;
    return telling_it.filter((result) => holds(result, value)).length >= (accounts.has(value) ? 2 : 1);
  };
  const open = telling.filter((value) => !named.includes(value) && !isKnown(value));
  if (open.length === telling.length) return false;
  const objects = new Set(parts.content.effects.map(({ object }) => foldText(object)));
  if (open.length === 1 && named.length > 0 && isIdOf(open[0]!, named, parts)) return true;
  // A new number of a document may be the agent's own; what is destroyed, and where something goes, may not.
  if (open.some((value) => accounts.has(value) || isDestination(value) || objects.has(value))) return false;
  if (namesSibling(telling, named, results, text)) return false;
  return open.length * (isDecisive ? 3 : 2) <= telling.length;
}

/** Recipients whose address was not shown and whose domain nothing else in the conversation has: «Ana» may be anybody's. */
function strangeRecipients(
  { arguments: args, event, heeded_text: text }: ConfirmedParts,
  shown: string,
): ReadonlySet<string> {
  const known = [shown, ...resultsBefore(event, text)];
  const isKnown = (address: string): boolean => {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    return known.some((said) => said.includes(address) || said.includes(`@${domain}`));
  };
  const addresses = args.filter(({ role, kind }) => role === 'recipient' && kind === 'email');
  return new Set(addresses.map(({ value }) => foldText(value)).filter((address) => !isKnown(address)));
}

/** Whether the user was shown the command itself, and what runs has a grave switch that was not shown: `--force`. */
function addsSwitches({ content, ontology }: ConfirmedParts, shown: string): boolean {
  const grave = patternOf(ontology, 'approval', 'grave_switch');
  return content.calls.some(({ program, words: given }) => {
    const [first] = given;
    if (first === undefined || first.text.startsWith('-') || !shown.includes(`${program} ${first.text}`)) return false;
    return given.some(({ text }) => grave.test(text) && !shown.includes(foldText(text.split('=')[0]!)));
  });
}

/** `zone_id` beside a `zone_name` that was shown: the number of the same thing. */
function isIdOf(value: string, named: readonly string[], { event }: ConfirmedParts): boolean {
  const { leaves } = parametersOf(event);
  const kindOf = (wanted: string): string | undefined =>
    leaves.find(({ value: given }) => foldText(String(given)) === wanted)?.name;
  const [kind = '', ...rest] = wordsOf(kindOf(value) ?? '');
  return rest.at(-1) === 'id' && named.some((one) => wordsOf(kindOf(one) ?? '')[0] === kind);
}

/** Whether of several values of one form only some were shown: those may be the ones to be left out. */
function isHalfNamed(telling: readonly string[], named: readonly string[]): boolean {
  const shapes = new Map<string, { all: number; named: number }>();
  for (const value of telling) {
    if (!/\d/.test(value)) continue;
    const of_shape = shapes.get(shapeOf(value)) ?? { all: 0, named: 0 };
    of_shape.all += 1;
    if (named.includes(value)) of_shape.named += 1;
    shapes.set(shapeOf(value), of_shape);
  }
  return [...shapes.values()].some(({ all, named: some }) => all > 2 && some > 0 && some < all);
}

const isAccount = ({ role, kind }: Argument): boolean => kind === 'account' || (role === 'payee' && kind !== 'phrase');

const isDestination = (value: string): boolean =>
  /@|:\/\/|^[a-z]{2}\d{2}[a-z\d ]{10,}$|^(?:bc1|0x)[a-z\d]{20,}$/.test(value);
