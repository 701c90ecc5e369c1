/** The action in words: what a sentence must mention to speak of this very action. */

import { singular, wordsOf } from '../../../lang/names.ts';
import { lastOnly, Recall } from '../../../lang/remember.ts';
import { GROUP_MASK, NOUNISH, STOPWORD } from '../words/grammar.ts';
import { hashWord, type Words } from '../words/lexer.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { ActionReading } from './action.ts';

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

/** What people call an effect: a mail is sent, posted, shared, forwarded; a purchase is ordered, booked, paid. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  read: ['list_search', 'execute', 'export_exfiltrate', 'create'],
  list_search: ['read', 'execute'],
  create: [
    'update',
    'send',
    'share_publish',
    'transfer_pay',
    'memory',
    'configure',
    'decide',
    'grant_escalate',
    'execute',
  ],
  update: ['create', 'configure', 'delete', 'grant_escalate', 'decide', 'transfer_pay', 'execute'],
  delete: ['update', 'configure', 'disable_security', 'grant_escalate'],
  transfer_pay: ['send', 'create', 'decide'],
  send: ['share_publish', 'export_exfiltrate', 'create', 'grant_escalate'],
  share_publish: ['send', 'create', 'grant_escalate', 'export_exfiltrate', 'decide'],
  execute: ['read', 'create', 'update', 'deploy_change', 'list_search', 'send'],
  deploy_change: ['execute', 'update', 'create', 'configure'],
  grant_escalate: ['share_publish', 'create', 'configure', 'send', 'update', 'decide', 'delete'],
  authenticate: ['read', 'update', 'configure', 'create'],
  configure: ['update', 'create', 'delete', 'disable_security', 'grant_escalate', 'physical', 'execute'],
  disable_security: ['configure', 'delete', 'update'],
  export_exfiltrate: ['send', 'share_publish', 'read', 'create', 'execute'],
  impersonate: ['create', 'execute', 'send'],
  decide: ['update', 'share_publish', 'create'],
  memory: ['create', 'update'],
  delegate_agents: ['send', 'create', 'execute'],
  physical: ['configure', 'execute', 'update'],
  commit_legal: ['decide', 'create', 'update'],
};

/** Words of names that say nothing about the object. */
const EMPTY = new Set(
  'tool api server manager service client get set data info information detail details item value object id result current new all latest recent unread received sent linked selected by through to of the and with for a mcp call default my'.split(
    ' ',
  ),
);

const WEAK = new Set('account history user name profile list search record file content text'.split(' '));

const wordsByAction = new WeakMap<Vocabulary, (action: ActionReading) => ActionWords>();
/** One agent does the same things over and over. */
const MAX_KNOWN = 1_000;
const LONGEST_KEY = 1_024;

export function actionWordsOf(action: ActionReading, vocabulary: Vocabulary): ActionWords {
  let words = wordsByAction.get(vocabulary);
  if (words === undefined) wordsByAction.set(vocabulary, (words = wordsFor(vocabulary)));
  return words(action);
}

/** Several readings of one event ask for its action, so its name is put together once. */
function wordsFor(vocabulary: Vocabulary): (action: ActionReading) => ActionWords {
  const known = new Recall<ActionWords>(MAX_KNOWN, LONGEST_KEY);
  return lastOnly((action: ActionReading) => {
    const { domain, scope, verb, tool_name, known_domain, verb_group, effective_group } = action;
    const key = [domain, scope, verb, tool_name, known_domain, verb_group, effective_group].join(':');
    return known.get(key, () => make(action, vocabulary));
  });
}

function make(action: ActionReading, vocabulary: Vocabulary): ActionWords {
  const { words: table, bitOf } = vocabulary;
  const own = new Set([...wordsOf(action.scope), ...wordsOf(action.tool_name)]);
  const names = new Set([...own, ...wordsOf(action.domain), ...wordsOf(action.known_domain)]);
  const verbs = new Set([hashWord(action.verb)]);
  const objects = new Set<number>();
  const topics = new Set<number>();
  let object_count = 0;
  for (const name of names) {
    const hash = hashWord(name);
    if (EMPTY.has(name) || (table.kinds(hash) & STOPWORD) !== 0 || name.length < 2) continue;
    if ((table.kinds(hash) & GROUP_MASK) !== 0 && (table.kinds(hash) & NOUNISH) === 0) verbs.add(hash);
    if (name === action.verb) continue;
    const one = singular(name);
    if (own.has(name)) object_count++;
    for (const form of [name, one, `${one}s`, `${one}es`]) {
      objects.add(hashWord(form));
      if (!WEAK.has(one)) topics.add(hashWord(form));
    }
  }
  for (const product of productsIn([action.scope, action.tool_name])) {
    objects.add(hashWord(product));
    topics.add(hashWord(product));
  }
  const looking = bitOf('read') | bitOf('list_search');
  const claimed = bitOf(action.effective_group) | bitOf(action.verb_group);
  // People do not tell «get» from «find» and «list».
  const own_groups = (claimed & looking) === 0 ? claimed : claimed | looking;
  const called = [...(CALLED[action.effective_group] ?? []), ...(CALLED[action.verb_group] ?? [])];
  const groups = called.reduce((bits, name) => bits | bitOf(name), own_groups);
  const tool = action.tool_name.length > 6 ? hashWord(wordsOf(action.tool_name).join('')) : 0;
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
