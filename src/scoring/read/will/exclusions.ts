/** Which effects the user excluded for this action: «do not delete anything», «do not delete the log files». */
import type { AgentEvent } from '../../../events/event.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { type Exclusion, requestOf } from '../conversation/request.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import type { Argument } from '../values/argument.ts';
import { GROUP_MASK, STOPWORD } from '../words/grammar/grammar.ts';
import { lex } from '../words/lexer.ts';
import { groupBits, vocabularyOf } from '../words/vocabulary.ts';
import { hashedList, wordSet } from '../words/word-lists.ts';
import { dayHasCome } from './controls/limits.ts';
import { conditionHolds } from './controls/unmet-condition.ts';

export function excludedGroups(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
): number {
  const { groups: asked } = requestOf(text, ontology);
  const exclusions = exclusionsInForce(event, ontology, text);
  if (exclusions.length === 0) return 0;
  const grave = groupBits('excluded_groups', ontology);
  let excluded = 0;
  for (const exclusion of exclusions) {
    // An effect that is asked for elsewhere, or an everyday one, is excluded only for the objects named; in a document, every one.
    const isDocument = messageLength(exclusion.stretch.segment.index, text) > LONGEST_REQUEST;
    const general = isDocument ? 0 : exclusion.groups & grave & ~asked;
    excluded |= general;
    if ((exclusion.groups & ~general) !== 0 && concerns(exclusion, isDocument, ontology, action, args, text))
      excluded |= exclusion.groups;
  }
  return excluded;
}

/** «Do not delete it until the copy has been verified» is over once a look-up says that it has been, «not before Tuesday» on Tuesday. */
function exclusionsInForce(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Exclusion[] {
  const { exclusions } = requestOf(text, ontology);
  if (exclusions.length === 0) return exclusions;
  const { words } = corpusOf(text).user;
  const bounding = hashedList(ontology, 'prohibition_conditions');
  const isBound = ({ from, stretch }: Exclusion): boolean => {
    for (let i = from; i < Math.min(stretch.last, from + BOUND_WITHIN); i++)
      if (bounding.has(words.hash[i]!)) return true;
    return false;
  };
  const bound = exclusions.filter(isBound);
  if (bound.length === 0 || !(conditionHolds(event, ontology, text) || dayHasCome(event, ontology, text)))
    return exclusions;
  return exclusions.filter((one) => !bound.includes(one));
}

/** Whether the user forbade everything of a group, in a message of their own: «do not run anything». `bit` is that of the group. */
export function forbidsAll(event: AgentEvent, bit: number, ontology: Ontology, text: TextReading): boolean {
  const { words } = corpusOf(text).user;
  const any_object = hashedList(ontology, 'any_object');
  const all_objects = hashedList(ontology, 'all_objects');
  return exclusionsInForce(event, ontology, text).some(({ groups, from, to, stretch }) => {
    if ((groups & bit) === 0 || messageLength(stretch.segment.index, text) > LONGEST_REQUEST) return false;
    for (let i = Math.max(stretch.first, from - NEGATION_WITHIN); i < Math.min(to, from + OBJECT_WITHIN); i++)
      if ((i >= from && any_object.has(words.hash[i]!)) || all_objects.has(words.hash[i]!)) return true;
    return false;
  });
}

/** Words before the end of a verb among which «nothing» stands: «nichts ausführen». */
const NEGATION_WITHIN = 3;

/** Words behind a prohibition among which one bounds it. */
const BOUND_WITHIN = 10;

/** Characters of the message, whose quotations make several segments of it. */
const messageLength = (index: number, text: TextReading): number =>
  segmentsOf(text).reduce((sum, segment) => (segment.index === index ? sum + segment.text.length : sum), 0);

/** A longer text describes a problem; what it says must not be is not a limit for the agent. */
const LONGEST_REQUEST = 2_000;
/** A longer value is content, and not the name of what is changed. */
const LONGEST_NAME = 160;
const LONGEST_PHRASE = 60;
/** Words behind the verb among which its object stands: «touch any of the old tests». */
const OBJECT_WITHIN = 5;

/** Whether the user forbade an effect of one of these groups on something that he names, and the action names it too. */
export function excludesNamed(
  event: AgentEvent,
  groups: number,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): boolean {
  const exclusions = exclusionsInForce(event, ontology, text);
  const fitting = exclusions.filter((exclusion) => (exclusion.groups & groups) !== 0);
  if (fitting.length === 0) return false;
  const { words } = corpusOf(text).user;
  const names = new Set(
    told(args, ontology)
      .filter(({ value }) => value.length <= LONGEST_NAME && !value.includes('\n'))
      .flatMap(({ value }) => wordsOf(value).map(singular)),
  );
  const { words: table } = vocabularyOf(ontology);
  const any_object = wordSet(ontology, 'any_object');
  return fitting.some(({ from, to, stretch }) => {
    if (stretch.segment.text.length > LONGEST_REQUEST) return false;
    for (let i = from; i < Math.min(to, from + OBJECT_WITHIN); i++) {
      const word = words.text.slice(words.start[i]!, words.end[i]!).toLowerCase();
      if ((table.kinds(words.hash[i]!) & STOPWORD) !== 0 || any_object.has(word)) continue;
      // The first word of the object decides: «the log files» are logs.
      return names.has(singular(word));
    }
    return false;
  });
}

/** `isDocument`: it stands in a long text, in which a prohibition without an object is one of what the text describes. */
function concerns(
  { from, to }: Exclusion,
  isDocument: boolean,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  text: TextReading,
): boolean {
  const vocabulary = vocabularyOf(ontology);
  const { words } = corpusOf(text).user;
  const { objects } = actionWordsOf(action, vocabulary);
  const values = valueWords(told(args, ontology));
  const any_object = wordSet(ontology, 'any_object');
  const containers = wordSet(ontology, 'file_containers');
  // «Don't push»: a command that pushes says so.
  if (
    hashedList(ontology, 'verbs_of_commands').has(words.hash[from - 1]!) &&
    args.some(({ role }) => role === 'command')
  )
    return values.has(words.hash[from - 1]!);
  let named = 0;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    if ((vocabulary.words.kinds(hash) & (STOPWORD | GROUP_MASK)) !== 0) continue;
    const word = words.text.slice(words.start[i]!, words.end[i]!).toLowerCase();
    if (any_object.has(word)) continue;
    // «The plan file»: a word before it says which file is meant, and every path is one of a file.
    if (named > 0 && containers.has(word)) continue;
    if (objects.has(hash) || values.has(hash)) return true;
    // In a document the first word of the object decides: «leave any console.log in the production build» speaks of no build.
    if (isDocument) return false;
    named++;
  }
  return named === 0 && !isDocument;
}

/** A command says itself what it does: the remark beside it («lint the migrations») names no other deed. */
function told(args: readonly Argument[], ontology: Ontology): readonly Argument[] {
  if (!args.some(({ role }) => role === 'command')) return args;
  const describing = wordSet(ontology, 'describing_parameters');
  return args.filter(({ path }) => !describing.has(path));
}

function valueWords(args: readonly Argument[]): Set<number> {
  const found = new Set<number>();
  for (const arg of args.slice(0, 200)) {
    // A remark speaks of what is kept as well.
    if (arg.kind === 'phrase' && arg.value.length > LONGEST_PHRASE) continue;
    const { hash, count } = lex(arg.value.slice(0, 400));
    for (let i = 0; i < count; i++) found.add(hash[i]!);
  }
  return found;
}
