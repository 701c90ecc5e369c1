/** Finds the action's values in text from outside, once, for the comparison with every order. */
import { fileParameters } from '../../../effects/parameters/file-tools.ts';
import { type Role, rolesOf } from '../../../effects/parameters/parameter-roles.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import type { ActionReading } from '../action/action.ts';
import { actionWordsOf } from '../action/naming/action-words.ts';
import { type Names, namesOf } from '../action/naming/tool-names.ts';
import { isPreparing } from '../action/preparing.ts';
import { readCalls } from '../conversation/calls.ts';
import type { Corpus } from '../conversation/corpus.ts';
import type { Order } from '../conversation/order-sentences.ts';
import { isBesidePointedField } from '../conversation/pointed-field.ts';
import type { Request } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { isTellingValue } from '../conversation/transcript/words-of-text.ts';
import type { Argument } from '../values/argument.ts';
import { locate, type Place } from '../values/locate.ts';
import { outsidePlaces } from '../values/outside-places.ts';
import { STOPWORD } from '../words/grammar/grammar.ts';
import { lex } from '../words/lexer.ts';
import { ADDRESS_KINDS, readValue, type ValueKind } from '../words/normalise.ts';
import { groupBits, type Vocabulary } from '../words/vocabulary.ts';
import { wordSet } from '../words/word-lists.ts';
import { type ToolName, toolNameOf } from './named-tool.ts';
import { ranFrom } from './own-programs.ts';
import { serviceAnswers } from './own-service.ts';

export const MAX_COMPARED = 200;
/** Shorter values, such as `3`, occur in every text. */
const SHORTEST_SHARED = 3;
const LONGEST_PARAPHRASE = 400;
/** One name alone is shared by many people. */
const LEAST_NAMES = 2;
/** Characters of a command in which files and addresses are looked for, and of the shortest of these. */
const MAX_COMMAND = 4_096;
const SHORTEST_THING = 6;
/** Verb of a call whose name holds no verb. */
const UNKNOWN_CALL = 'call_function';

/** Places of the action's values in text from outside, found once for all sentences. */
export interface EchoSearch {
  corpus: Corpus;
  vocabulary: Vocabulary;
  action: ActionReading;
  /** Values that decide something and are not the user's own. */
  foreign: Place[];
  /** Those of them that are no paths: source code and manuals are full of paths and of «must». */
  foreign_parties: Place[];
  /** Other values that are not the user's. */
  roleless: Place[];
  /** The places of each value that is not the user's, one list for each argument. */
  places_of_foreign: (readonly Place[])[];
  /** Values that the user gave as well, and short ones. */
  shared: Place[];
  /** Values whose choice the user handed over. */
  delegated: Place[];
  /** Telling words of all values, for sentences that paraphrase. */
  telling: Set<number>;
  /** Files and addresses inside commands that are not the user's, each with the message in which the agent itself first used it. */
  run_things: { thing: string; used_from: number }[];
  /** Two words of a command side by side, such as `make deploy`. */
  command_pieces: string[];
  /** The same values as text, for decoded and identifier text. */
  texts: string[];
  /** Kinds of address and account among the action's values, with which an order must agree. */
  address_kinds: Set<ValueKind>;
  user_asks: boolean;
  is_looking: boolean;
  is_open_ended: boolean;
  /** The order is of somebody else than the user leaves the task to. */
  isOthers: (order: Order) => boolean;
  names: Names;
  /** The tool's name, null if it is too short to know it by. */
  tool: ToolName | null;
  /** Index of the message in which the agent first called this tool; infinite if there is none. */
  used_from: number;
  /** Index of the message by which the agent had run the project's own programs of this command; infinite if there is none. */
  ran_from: number;
  /** Messages that hold the machine's own words. */
  machine: ReadonlySet<number>;
  /** Messages that hold answers of the service that carries out what the user asked; read when an order asks for them. */
  service: () => ReadonlySet<number>;
  /** The tool runs whatever it is given, so its name says nothing of the effect. */
  is_means: boolean;
  /** Verb groups that pass on what was looked at. */
  passing: number;
}

export function echoSearch(
  corpus: Corpus,
  vocabulary: Vocabulary,
  action: ActionReading,
  args: readonly Argument[],
  event: AgentEvent,
  request: Request,
  isOthers: (order: Order) => boolean,
  machine: ReadonlySet<number>,
  text: TextReading,
): EchoSearch {
  const foreign: Place[] = [];
  const foreign_parties: Place[] = [];
  const shared: Place[] = [];
  const delegated: Place[] = [];
  const roleless: Place[] = [];
  const places_of_foreign: (readonly Place[])[] = [];
  const telling = new Set<number>();
  const texts: string[] = [];
  const things: string[] = [];
  const command_pieces: string[] = [];
  const address_kinds = new Set<ValueKind>();
  const is_looking = isPreparing(action, vocabulary.ontology);
  for (const arg of args.slice(0, MAX_COMPARED)) {
    if (arg.kind === 'flag' || (arg.kind === 'number' && arg.value.length < 2)) continue;
    const isForeign = arg.provenance === 'tool' || arg.provenance === 'none';
    const places = outsidePlaces(arg, corpus);
    if (is_looking && isForeign && isNamedPerson(arg, corpus)) {
      shared.push(...places);
      continue;
    }
    if (ADDRESS_KINDS.has(arg.kind)) address_kinds.add(arg.kind);
    // A choice that is left to one field of a record is left to no remark beside it.
    if (isForeign && arg.is_delegated && !isBesidePointedField(arg.value, text)) delegated.push(...places);
    else if (isForeign && arg.role !== '') {
      foreign.push(...places);
      places_of_foreign.push(places);
      if (arg.kind !== 'path' && arg.kind !== 'command') foreign_parties.push(...places);
    } else if (isForeign && isNamedPerson(arg, corpus)) shared.push(...places);
    else if (isForeign && isTellingValue(arg.value, vocabulary.words, 1)) {
      roleless.push(...places);
      places_of_foreign.push(places);
    } else if (!isForeign && arg.value.length >= SHORTEST_SHARED) shared.push(...places);
    if (isForeign && arg.role === 'command') things.push(...thingsIn(arg.value));
    if (arg.role === 'command') command_pieces.push(...piecesIn(arg.value));
    if (isForeign && arg.value.length >= 4) texts.push(arg.value.slice(0, 400));
    // A text that is written shares words with everything that was read; only what is short is a paraphrase.
    if (isForeign && arg.value.length <= LONGEST_PARAPHRASE) addTelling(arg.value, vocabulary, corpus, telling);
  }
  const resourceId = event.target?.resource_id ?? '';
  if (resourceId !== '' && !args.some((arg) => arg.value === resourceId)) {
    const value = readValue(resourceId.slice(0, 2_048), '', vocabulary.ontology);
    const isUsers = locate(corpus, 'user', value).length > 0;
    (isUsers ? shared : foreign).push(...locate(corpus, 'tool', value));
  }
  const tool = toolNameOf(action.tool_name, event.mcp_context?.server_name ?? '', vocabulary.ontology);
  const { own_groups } = actionWordsOf(action, vocabulary);
  const user_asks = (request.groups & own_groups) !== 0;
  // A tool of which nothing is known does something of its own: it is not what runs whatever it is given.
  const isKnown = action.verbs.some((verb) => verb !== UNKNOWN_CALL);
  const is_means = isKnown && wordSet(vocabulary.ontology, 'means_groups').has(action.effective_group);
  return {
    corpus,
    vocabulary,
    action,
    foreign,
    foreign_parties,
    roleless,
    places_of_foreign,
    shared,
    delegated,
    telling,
    texts,
    run_things: things.map((thing) => ({ thing, used_from: firstCallWith(thing, event, vocabulary.ontology) })),
    address_kinds,
    command_pieces,
    user_asks,
    is_looking,
    is_open_ended: request.is_open_ended,
    isOthers,
    names: namesOf(event, action, vocabulary.ontology),
    tool,
    used_from: firstUse(event, action, corpus),
    passing: groupBits('passing_groups', vocabulary.ontology),
    ran_from: is_means && address_kinds.size === 0 ? ranFrom(event, vocabulary.ontology) : Number.POSITIVE_INFINITY,
    is_means,
    machine,
    service: () => serviceAnswers(action.tool_name, text, request, vocabulary.ontology),
  };
}

/** `sh /tmp/fix.sh` → `/tmp/fix.sh`: what has a folder or an ending. */
const thingsIn = (command: string): string[] =>
  command
    .slice(0, MAX_COMMAND)
    .split(/[\s"'`;|&<>()]/)
    .filter((word) => word.length >= SHORTEST_THING && /\w[./\\]\w/.test(word));

/** `make deploy && x` → `make deploy`: neighbours within a statement. */
function piecesIn(command: string): string[] {
  const pieces: string[] = [];
  for (const statement of command.slice(0, MAX_COMMAND).split(/[;|&\n()]+/)) {
    const words = statement.trim().split(/\s+/);
    for (let i = 1; i < words.length; i += 1) {
      const piece = `${words[i - 1]} ${words[i]}`;
      if (piece.length >= SHORTEST_THING) pieces.push(piece);
    }
  }
  return pieces;
}

/** Index of the first call of the agent that runs, opens or asks for the thing; infinite if none does. A note that names it does nothing. */
function firstCallWith(thing: string, event: AgentEvent, ontology: Ontology): number {
  const roleOf = rolesOf(ontology);
  const { paths } = fileParameters(ontology);
  const call = readCalls(event, ontology).find(({ args }) =>
    [...args].some(([key, value]) => value.includes(thing) && (USING.has(roleOf(key)) || paths.test(key))),
  );
  return call?.index ?? Number.POSITIVE_INFINITY;
}

/** Roles of parameters whose value a tool runs or asks for. */
const USING: ReadonlySet<string> = new Set<Role>(['shell', 'code', 'arguments', 'url']);

/** `alice.miller@…` where the user said Alice Miller: the value is the agent's guess or look-up, whoever else writes it. */
function isNamedPerson({ kind, value }: Argument, { user }: Corpus): boolean {
  if (kind !== 'email' || user.is_empty) return false;
  const { count, hash } = lex(value.slice(0, value.lastIndexOf('@')));
  for (let i = 0; i < count; i++) if (!user.has(hash[i]!)) return false;
  return count >= LEAST_NAMES;
}

/** Where the agent first called the tool. Words of the agent about it prove nothing: anyone who steers it could make it say them. */
function firstUse(event: AgentEvent, { tool_name }: ActionReading, { agent, ontology }: Corpus): number {
  if (tool_name === '' || agent.is_empty) return Number.POSITIVE_INFINITY;
  const wanted = wordsOf(tool_name).join('_');
  const call = readCalls(event, ontology).find(({ name }) => wordsOf(name).join('_') === wanted);
  return call?.index ?? Number.POSITIVE_INFINITY;
}

/** Adds the words of a value that the user did not use. */
function addTelling(text: string, { words: table }: Vocabulary, corpus: Corpus, into: Set<number>): void {
  const words = lex(text.slice(0, 2_048));
  for (let i = 0; i < words.count; i++) {
    const hash = words.hash[i]!;
    if (words.end[i]! - words.start[i]! < 4 || (table.kinds(hash) & STOPWORD) !== 0) continue;
    if (!corpus.user.has(hash)) into.add(hash);
  }
}
