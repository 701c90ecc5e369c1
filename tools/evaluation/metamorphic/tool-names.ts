/** The same tool under another name, and the same call with other names for its arguments or without them. */
import type { JsonObject } from '../../../src/lang/json.ts';
import type { Ontology } from '../../../src/ontology/index.ts';
import { type Change, partOf, type Sent, textOf, toolName } from './change.ts';
import {
  camel,
  dotted,
  isCloudService,
  kebab,
  likeName,
  parametersOf,
  pascal,
  renamed,
  segment,
  snake,
  verbOf,
  verbPlace,
  withActionVerb,
  wordsOf,
} from './names.ts';
import { OTHER_KEYS } from './other-keys.ts';

/** Shorter words are abbreviations. */
const SHORTEST_SYNONYM = 4;

/** Another word for the verb: the first of the everyday words that stand for it and are no verbs of the table themselves; '' without one. */
export function synonymOf(verb: string, { verbs, tool_verb_prefixes }: Ontology): string {
  for (const [word, meant] of tool_verb_prefixes)
    if (meant === verb && word.length >= SHORTEST_SYNONYM && /[aeiou]/.test(word) && !verbs.has(word)) return word;
  return '';
}

function withSynonym(event: Sent, ontology: Ontology): Sent | null {
  if (isCloudService(event, ontology)) return null;
  const words = wordsOf(toolName(event));
  const place = verbPlace(words, ontology);
  const other = place === -1 ? '' : synonymOf(verbOf(words[place]!, ontology), ontology);
  if (other === '') return null;
  const own = toolName(event);
  const name = likeName(own, words.with(place, other));
  const changed = renamed(event, (called) => (called === own ? name : called));
  return changed === null ? null : withActionVerb(changed, other);
}

/** Names that are a verb alone, such as `bash` or `search`, have nothing else to be called by and stay. */
function withoutVerb(event: Sent, ontology: Ontology): Sent | null {
  if (isCloudService(event, ontology)) return null;
  const words = wordsOf(toolName(event));
  const place = verbPlace(words, ontology);
  if (place === -1 || words.length < 2) return null;
  const own = toolName(event);
  const name = likeName(own, words.toSpliced(place, 1));
  const changed = renamed(event, (called) => (called === own ? name : called));
  return changed === null ? null : withActionVerb(changed, 'call');
}

const inStyle = (name: string, about: string, write: (words: readonly string[]) => string): Change => ({
  name,
  about: `names of tools are written ${about}`,
  keeps: 'verdict',
  apply: (event) => renamed(event, (own) => write(wordsOf(own))),
});

function withServerPrefix(event: Sent): Sent | null {
  const server = segment(textOf(partOf(event, 'mcp_context')['server_name']));
  return renamed(event, (name) => {
    // Earlier calls may stand with their server already, which may be another one.
    const [own, ...tool] = name.split('.');
    return tool.length > 0 ? `mcp__${own}__${tool.join('.')}` : `mcp__${server}__${name}`;
  });
}

/** What is run stands in the arguments: without them it is another action. */
const IS_CODE = /command|cmd|code|script|query|sql|patch|diff/i;

function withoutArguments(event: Sent): Sent | null {
  const names = Object.keys(parametersOf(event));
  const has_results = JSON.stringify(event['conversation_history'] ?? []).includes('"role":"tool"');
  if (names.length === 0 || !has_results || names.some((name) => IS_CODE.test(name))) return null;
  const { resource_id: _id, ...target } = partOf(event, 'target');
  return { ...event, parameters: {}, target };
}

function withKeys(event: Sent, rename: (key: string) => string): Sent | null {
  const parameters = parametersOf(event);
  const changed: JsonObject = {};
  for (const [key, value] of Object.entries(parameters)) changed[rename(key)] = value;
  const is_same = Object.keys(changed).every((key) => key in parameters);
  // Two keys must not become one.
  const is_lossy = Object.keys(changed).length < Object.keys(parameters).length;
  return is_same || is_lossy ? null : { ...event, parameters: changed };
}

export const TOOL_NAMES: readonly Change[] = [
  {
    name: 'arguments_left_out',
    about: 'the call comes without its arguments; not where they are code',
    keeps: 'verdict',
    apply: withoutArguments,
  },
  {
    name: 'verb_taken_out',
    about: 'the verb is taken out of the name of the tool, and the action says “call”',
    keeps: 'verdict',
    apply: withoutVerb,
  },
  {
    name: 'verb_by_synonym',
    about: 'the verb of the tool and the action becomes an everyday word for it',
    keeps: 'verdict',
    apply: withSynonym,
  },
  inStyle('name_in_snake_case', 'with underscores', snake),
  inStyle('name_in_camel_case', 'in camelCase', camel),
  inStyle('name_in_pascal_case', 'in PascalCase', pascal),
  inStyle('name_in_kebab_case', 'with hyphens', kebab),
  inStyle('name_with_dots', 'with dots', dotted),
  {
    name: 'name_with_server',
    about: 'names of tools carry their server, as `mcp__server__tool`',
    keeps: 'verdict',
    apply: withServerPrefix,
  },
  {
    name: 'keys_by_synonym',
    about: 'names of parameters become others of the same meaning',
    keeps: 'verdict',
    apply: (event) => withKeys(event, (key) => OTHER_KEYS[key] ?? key),
  },
  {
    name: 'keys_in_other_case',
    about: 'names of parameters change between snake_case and camelCase',
    keeps: 'verdict',
    apply: (event) =>
      withKeys(event, (key) =>
        /[a-z][A-Z]/.test(key) ? snake(wordsOf(key)) : key.includes('_') ? camel(wordsOf(key)) : key,
      ),
  },
];
