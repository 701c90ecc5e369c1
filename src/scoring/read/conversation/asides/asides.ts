/**
 * What results of tools say in passing: text around their records, and values of the action told again or in running text. Whoever can
 * write into a result can have it say so, therefore an event with such results is scored without these asides as well.
 */
import type { AgentEvent, Message } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { distinct } from '../../../../lang/in-order.ts';
import { isObject, type Json } from '../../../../lang/json.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { withoutEnvelope } from '../transcript/envelope.ts';
import { speakerOfRole } from '../transcript/transcript.ts';
import { recordsAlone } from './structure.ts';
import { type Said, withoutTold } from './told.ts';

/** Characters of results that are read, the newest first. */
const MAX_READ = 131_072;
const MAX_VALUES = 48;
const LONGEST_VALUE = 1_024;
const MAX_REQUESTS = 8;
/** Words of a request that a result can hardly have by chance, and of a passage. */
const LEAST_REQUEST = 3;
const LEAST_PASSAGE = 3;

const wrappingNames = perOntology((ontology) => setOf(ontology, 'envelope_bodies'));

/** A text of a result without its asides, in each way. */
interface Bare {
  /** Its first record, and what is told again stays in its first place. */
  first: string;
  /** Its last record, and what is told again stays in its last place. */
  last: string;
  /** And texts in records tell no value that is not the user's, and nothing tells a passage. */
  fewest: string;
}

/** The forms of the event without asides of its results, the barest first; empty where they have none. */
export function withoutAsides(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  const history = event.conversation_history ?? [];
  const bare = bareTexts(event, ontology);
  const texts = [...bare];
  const changes = (way: keyof Bare, other: (text: string, ways: Bare) => string): boolean =>
    texts.some(([text, ways]) => ways[way] !== other(text, ways));
  const has_first = changes('first', (text) => text);
  const forms: (keyof Bare)[] = [];
  if (changes('fewest', (_, { first }) => first)) forms.push('fewest');
  if (has_first) forms.push('first');
  if (changes('last', (_, { first }) => first)) forms.push('last');
  return forms.map((way) => ({
    ...event,
    conversation_history: history.map((message) => {
      if (!isResult(message, ontology)) return message;
      const content = changed(message.content, (text) => bare.get(text)?.[way] ?? text);
      return content === message.content ? message : { ...message, content: content! };
    }),
  }));
}

/** Each text of a result that is read, and what is left of it. */
function bareTexts(event: AgentEvent, ontology: Ontology): ReadonlyMap<string, Bare> {
  const results = (event.conversation_history ?? []).filter((message) => isResult(message, ontology));
  const bare = new Map<string, Bare>();
  if (results.length === 0) return bare;
  const said = saidOf(event, ontology);
  const wrapping = wrappingNames(ontology);
  let room = MAX_READ;
  const leftOf = (text: string, own: string, alone: string, way: 'first' | 'last'): string => {
    const left = withoutTold(alone === own ? own : withoutEnvelope(alone, ontology), said, way);
    return left === own ? text : left;
  };
  const read = (text: string): string => {
    room -= text.length;
    if (room < 0 || bare.has(text)) return text;
    // An envelope is not a record, and what it holds is not text in one.
    const own = withoutEnvelope(text, ontology);
    const alone = recordsAlone(own, wrapping);
    const first = leftOf(text, own, alone.first, 'first');
    const last = leftOf(text, own, alone.last, 'last');
    const fewest = withoutTold(first === text ? own : first, said, 'none');
    bare.set(text, { first, last, fewest: fewest === own ? first : fewest });
    return text;
  };
  for (let i = results.length - 1; i >= 0 && room > 0; i--) changed(results[i]!.content, read);
  return bare;
}

function isResult({ role, content }: Message, ontology: Ontology): boolean {
  if (content === undefined || content === null) return false;
  return speakerOfRole(typeof role === 'string' ? role.trim().toLowerCase() : '', ontology) === 'tool';
}

/** The content with its texts changed: a text, the parts of a list, a record as JSON. */
function changed(content: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof content === 'string') return change(content);
  if (Array.isArray(content)) {
    const parts = content.map((part) => {
      if (typeof part === 'string') return change(part);
      if (!isObject(part) || typeof part['text'] !== 'string') return part;
      const text = change(part['text']);
      return text === part['text'] ? part : { ...part, text };
    });
    return parts.every((part, i) => part === content[i]) ? content : parts;
  }
  if (!isObject(content)) return content;
  const text = JSON.stringify(content);
  const left = change(text);
  return left === text ? content : left;
}

function saidOf(event: AgentEvent, ontology: Ontology): Said {
  const words = requestsOf(event, ontology);
  const all = words.join('\n');
  const values = distinct(
    parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'boolean' ? [] : plain(String(value)))),
  )
    .sort(longestFirst)
    .slice(0, MAX_VALUES);
  return {
    values,
    others: values.filter((value) => !standsAlone(value, all)),
    passages: values.filter((value) => wordCount(value) >= LEAST_PASSAGE),
    requests: words.filter((text) => wordCount(text) >= LEAST_REQUEST).slice(0, MAX_REQUESTS),
  };
}

/** What the user said, in lower case, the longest first. */
function requestsOf({ user_context, conversation_history = [] }: AgentEvent, ontology: Ontology): string[] {
  const said = conversation_history.flatMap(({ role, content }) =>
    typeof role === 'string' &&
    speakerOfRole(role.trim().toLowerCase(), ontology) === 'user' &&
    typeof content === 'string'
      ? [content]
      : [],
  );
  return distinct([user_context ?? '', ...said].map((text) => text.trim().toLowerCase())).sort(longestFirst);
}

const plain = (value: string): string[] => {
  const text = value.trim().toLowerCase();
  return text === '' || text.length > LONGEST_VALUE ? [] : [text];
};
const longestFirst = (a: string, b: string): number => b.length - a.length;
/** Words of letters: the groups of an account are none. */
const wordCount = (text: string): number =>
  text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word) && !/\d/.test(word)).length;
