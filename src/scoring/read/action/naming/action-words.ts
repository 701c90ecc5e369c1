/** The action in words: what a sentence must mention to speak of this very action. */

import { singular, wordsOf } from '../../../../lang/names.ts';
import { Recall } from '../../../../lang/remember.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../ontology/words.ts';
import { GROUP_MASK, NOUNISH, STOPWORD } from '../../words/grammar/grammar.ts';
import { hashWord, type Words } from '../../words/lexer.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import type { ActionReading } from '../action.ts';
import { withoutServer } from './tools.ts';

export interface ActionWords {
  /** Groups of the action and of what people call the same. */
  groups: number;
  own_groups: number;
  /** Verbs of action and tool. */
  verbs: Set<number>;
  /** Everything else in domain, scope and tool name, in singular and plural. */
  objects: Set<number>;
  /** Those of them that tell a topic: «account» stands in every request. */
  topics: Set<number>;
  /** The tool's whole name as one word, 0 when it has none. */
  tool: number;
  /** Number of distinct objects in scope and tool name, one for singular and plural together. */
  object_count: number;
}

const names = perOntology((ontology) => ({
  /** A mail is sent, posted, shared, forwarded; a purchase is ordered, booked, paid. */
  also_called: tableOf(ontology, 'also_called'),
  filler: setOf(ontology, 'action_filler_words'),
  vague: setOf(ontology, 'vague_object_words'),
  interpreters: setOf(ontology, 'interpreter_words'),
}));

/** An agent repeats its actions, and several readings of one event ask for the words of its action. */
const known = perOntology(() => ({
  by_name: new Recall<ActionWords>(MAX_KNOWN, LONGEST_KEY),
  last: null as { action: ActionReading; words: ActionWords } | null,
}));
const MAX_KNOWN = 1_000;
const LONGEST_KEY = 1_024;

export function actionWordsOf(action: ActionReading, vocabulary: Vocabulary): ActionWords {
  const kept = known(vocabulary.ontology);
  if (kept.last?.action === action) return kept.last.words;
  const { domain, scope, verb, tool_name, known_domain, verb_group, effective_group, only_runs_content } = action;
  const key = [domain, scope, verb, tool_name, known_domain, verb_group, effective_group, only_runs_content].join(':');
  const words = kept.by_name.get(key, () => make(action, vocabulary));
  kept.last = { action, words };
  return words;
}

function make(action: ActionReading, vocabulary: Vocabulary): ActionWords {
  const { words: table, bitOf, ontology } = vocabulary;
  const { also_called, filler, vague, interpreters } = names(ontology);
  // A page that mentions a shell says nothing about the command that is run.
  const tool_words = wordsOf(withoutServer(action.tool_name)).filter(
    (word) => !action.only_runs_content || !interpreters.has(word),
  );
  // Without a name of its own the tool is the verb: `mcp:datadog:mute_monitors`.
  const own = new Set([...wordsOf(action.scope), ...(tool_words.length > 0 ? tool_words : wordsOf(action.verb))]);
  const all = new Set([...own, ...wordsOf(action.domain), ...wordsOf(action.known_domain)]);
  // `run_in_terminal` and `execute_command` do what they are handed: what their names say is no more than that something runs.
  const verbs = new Set(action.only_runs_content ? [] : [hashWord(action.verb)]);
  const objects = new Set<number>();
  const topics = new Set<number>();
  let object_count = 0;
  for (const name of all) {
    const hash = hashWord(name);
    if (filler.has(name) || (table.kinds(hash) & STOPWORD) !== 0 || name.length < 2) continue;
    const isVerb = (table.kinds(hash) & GROUP_MASK) !== 0;
    if (isVerb && action.only_runs_content) continue;
    if (isVerb && (table.kinds(hash) & NOUNISH) === 0) verbs.add(hash);
    if (name === action.verb) continue;
    const one = singular(name);
    if (own.has(name)) object_count++;
    for (const form of [name, one, `${one}s`, `${one}es`]) {
      objects.add(hashWord(form));
      if (!vague.has(one)) topics.add(hashWord(form));
    }
  }
  for (const product of productsIn([action.scope, withoutServer(action.tool_name)])) {
    objects.add(hashWord(product));
    topics.add(hashWord(product));
  }
  const looking = bitOf('read') | bitOf('list_search');
  const claimed = bitOf(action.effective_group) | bitOf(action.verb_group);
  // In requests, «get», «find» and «list» mean the same.
  const own_groups = (claimed & looking) === 0 ? claimed : claimed | looking;
  const called = [action.effective_group, action.verb_group].flatMap((group) => also_called.get(group) ?? []);
  const groups = called.reduce((bits, name) => bits | bitOf(name), own_groups);
  // A name of one word, `directory`, is a word of the language: a sentence with it names no tool.
  const tool = action.tool_name.length > 6 && tool_words.length > 1 ? hashWord(tool_words.join('')) : 0;
  return { groups, own_groups, verbs, objects, topics, tool, object_count };
}

/** Neighbouring words of a name as one: names of products are split where people write them together, `git_hub`. */
function productsIn(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const words = wordsOf(name);
    return words.slice(1).map((word, i) => words[i]! + word);
  });
}

export interface Mentions {
  objects: number;
  has_verb: boolean;
  has_tool: boolean;
}

/** How many distinct objects of the action, and whether one of its verbs, stand in a run of words. */
export function mentions(words: Words, from: number, to: number, action: ActionWords): Mentions {
  let seen: Set<number> | undefined;
  let has_verb = false;
  let has_tool = false;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    if (action.objects.has(hash)) {
      seen ??= new Set();
      seen.add(hash);
    }
    if (action.verbs.has(hash)) has_verb = true;
    if (hash === action.tool) has_tool = true;
  }
  return { objects: seen?.size ?? 0, has_verb, has_tool };
}
