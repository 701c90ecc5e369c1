/** Whether an action has nothing to do with what the user asked for: neither verb nor topic nor any value. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { readCalls } from '../conversation/calls.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { userWords } from '../conversation/user-words.ts';
import { isTellingValue } from '../conversation/words-of-text.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { verbLookup, verbOfName } from '../words/verb-lookup.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { fitOf } from './fit.ts';

/**
 * True only where the user asks for something of a known kind and leaves nothing open: what is not understood may be the reason.
 * What the agent made itself before is part of its way.
 */
export function isUnrelated(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  text: TextReading,
): boolean {
  const request = requestOf(text, ontology);
  if (!request.has_words || request.asks.length === 0 || request.is_open_ended || request.leaves_work_open)
    return false;
  const { covers, is_related, has_topic, asks_effect } = fitOf(ontology, action, args, text);
  if (covers || is_related || has_topic || asks_effect) return false;
  return !sharesWord(event, action, text) && !isOwnMake(event, ontology, args);
}

/** Words of so many letters at least are compared, by so many: «recording» and `recordings`, «licence» and `licensed`. */
const STEM = 5;
const SHORTEST = 4;
const MAX_LEAVES = 60;
const LONGEST = 64;

/** Whether a word of the action's names, of its parameters' names or of their values is the user's: also `account`, whatever it means. */
function sharesWord(event: AgentEvent, { verb, domain }: ActionReading, text: TextReading): boolean {
  const said = new Set(stemsOf(foldText(userWords(text))));
  const names = [event.action, event.mcp_context?.tool_name, event.target?.resource_type, event.target?.resource_id];
  for (const { key, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    names.push(key);
    if (typeof value === 'string' && value.length <= LONGEST) names.push(value);
  }
  const own = new Set([verb, domain].flatMap((name) => stemsOf(foldText(name))));
  return names.some((name) =>
    stemsOf(foldText((name ?? '').replace(/(?<=[a-z])(?=[A-Z])/g, ' '))).some(
      (stem) => said.has(stem) && !own.has(stem),
    ),
  );
}

const stemsOf = (text: string): readonly string[] =>
  text
    .split(/[^\p{L}]+/u)
    .map((word) => singular(word))
    .filter((word) => word.length >= SHORTEST)
    .map((word) => word.slice(0, STEM));

/** Whether a telling value of the action stands in a call by which the agent made something, or in its result. */
function isOwnMake(event: AgentEvent, ontology: Ontology, args: readonly Argument[]): boolean {
  const lookup = verbLookup(ontology);
  const { words } = vocabularyOf(ontology);
  const made = readCalls(event, ontology).filter(({ name }) => verbOfName(name, lookup)?.group === 'create');
  if (made.length === 0) return false;
  return args.some(
    ({ value, kind }) =>
      kind !== 'flag' &&
      isTellingValue(value, words, 1) &&
      made.some(({ text, results }) => text.includes(value) || results.some((result) => result.includes(value))),
  );
}
