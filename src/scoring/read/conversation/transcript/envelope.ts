/**
 * Takes the text of a result out of the envelope in which the protocol or the host sends it: content blocks of MCP, a field
 * `result` beside a status. What a tool said must read the same no matter who carries it.
 */
import { isObject, type Json, type JsonObject } from '../../../../lang/json.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { snakeCase } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../../../ontology/words.ts';
import { flatten } from './flatten.ts';

/** An envelope names its text early: its other fields are short. */
const HEAD = 400;
/** Parsing more would cost a hostile event more than its result is worth; the text is then read with its envelope. */
const MAX_ENVELOPE = 262_144;
/** An envelope in an envelope: a gateway that passes on what a server sent. */
const MAX_LEVELS = 4;
/** Fields of an envelope; what has more is a record. */
const MAX_FIELDS = 16;
/** A state is a word or a number; a longer text is a message that somebody wrote. */
const LONGEST_STATE = 40;

const wordsFor = perOntology((ontology) => {
  const bodies = setOf(ontology, 'envelope_bodies');
  return {
    bodies,
    states: inverseOf(ontology, 'envelope_states'),
    plain: setOf(ontology, 'plain_states'),
    /** The name of a body as a key of JSON or of a Python representation. */
    names_body: new RegExp(`["'](?:${[...bodies].join('|')})["']\\s{0,4}:\\s{0,4}["'[{]`, 'i'),
  };
});

/** Strings of JSON or of a Python representation. An open one goes to the end, so that each character is looked at once. */
const STRINGS = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/gs;
/** Runs of letters in the ids of an envelope: more of them are words. */
const MOST_WORDS = 5;

/** The text inside the envelopes around it, with a line for each field that says more than that all is well; the text itself without one. */
export function withoutEnvelope(text: string, ontology: Ontology): string {
  return opened(text, MAX_LEVELS, ontology);
}

function opened(text: string, levels: number, ontology: Ontology): string {
  if (levels === 0 || text.length > MAX_ENVELOPE || !/^\s{0,8}[{[]/.test(text)) return text;
  if (!wordsFor(ontology).names_body.test(text.slice(0, HEAD))) return text;
  const value = parseLax(text);
  if (value === undefined || stringsIn(value) !== (text.match(STRINGS)?.length ?? 0)) return text;
  return textIn(value, levels, ontology) ?? text;
}

/** Keys and texts of a value. A text that holds more of them has a key twice, and the first one would be lost. */
function stringsIn(value: Json): number {
  let count = 0;
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === 'string') count++;
    else if (Array.isArray(one)) for (const inner of one) open.push(inner);
    else if (typeof one === 'object' && one !== null)
      for (const [, inner] of Object.entries(one)) {
        count++;
        open.push(inner);
      }
  }
  return count;
}

/** The text of content blocks, one below the other; `null` for a list of anything else. */
export function textOfBlocks(blocks: readonly Json[]): string | null {
  if (blocks.length === 0 || !blocks.some(isTextBlock)) return null;
  return blocks.map((block) => (isTextBlock(block) ? textOfBlock(block) : flatten(block))).join('\n');
}

function textOfBlock(block: { type: 'text'; text: string } & JsonObject): string {
  const said = besideText(block);
  return said === '' ? block.text : `${block.text}\n${said}`;
}

/** What the other fields of a block of text say in words; '' where they hold marks alone, such as how long it may be kept. */
export function besideText({ type: _type, text: _text, ...others }: JsonObject): string {
  const lines = flatten(others).split('\n');
  const hasWords = lines.some((line) => /\S\s\S/.test(line.slice(line.indexOf(': ') + 1).trim()));
  return hasWords ? lines.join('\n') : '';
}

const isTextBlock = (block: Json): block is { type: 'text'; text: string } & JsonObject =>
  isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string';

/** The text that a value is an envelope of; `null` where it is none. */
function textIn(value: Json, levels: number, ontology: Ontology): string | null {
  if (levels === 0) return null;
  if (Array.isArray(value)) return textOfBlocks(value.map((block) => textBlockOf(block, levels, ontology)));
  if (!isObject(value)) return null;
  const { bodies, states } = wordsFor(ontology);
  const fields = Object.entries(isResult(value) ? withoutType(value) : value);
  if (fields.length > MAX_FIELDS) return null;
  const texts: string[] = [];
  const said: string[] = [];
  const idle: string[] = [];
  for (const [key, inner] of fields) {
    const name = snakeCase(key);
    const kind = states.get(name);
    if (bodies.has(name)) {
      const text = bodyText(inner, levels, ontology);
      if (text === null) return null;
      if (text !== '') texts.push(text);
    } else if (kind === undefined || !isState(inner)) return null;
    else if (!saysNothing(kind, inner, ontology)) said.push(`${key}: ${String(inner)}`);
    else if (kind === 'idle' && typeof inner === 'string') idle.push(`${key}: ${inner}`);
  }
  // What several ids spell together are words as well: `request_id: "you_must_pay"`.
  const values = idle.map((line) => line.slice(line.indexOf(':') + 1)).join(' ');
  if ((values.match(/\p{L}{3,}/gu)?.length ?? 0) > MOST_WORDS) said.push(...idle);
  return texts.length === 0 ? null : [...texts, ...said].join('\n');
}

/** `{type: 'tool_result', content: …}`, the block in which a result of a tool stands among the messages of a model. */
const isResult = ({ type }: JsonObject): boolean => typeof type === 'string' && /^\w{0,40}result$/.test(type);

const withoutType = ({ type: _type, ...others }: JsonObject): JsonObject => others;

/** A block of a result as the block of text that it holds; any other block as it is. */
function textBlockOf(block: Json, levels: number, ontology: Ontology): Json {
  const text = isObject(block) && isResult(block) ? textIn(block, levels - 1, ontology) : null;
  return text === null ? block : { type: 'text', text };
}

function bodyText(inner: Json, levels: number, ontology: Ontology): string | null {
  if (typeof inner === 'string') return opened(inner, levels - 1, ontology);
  return inner === null ? '' : textIn(inner, levels - 1, ontology);
}

const isState = (value: Json): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= LONGEST_STATE);

/** A success, an error that there is none, and what no event turns on. */
function saysNothing(kind: string, value: Json, ontology: Ontology): boolean {
  if (value === null || value === '') return true;
  // An id has no blank; what has one may be words that somebody wrote.
  if (kind === 'idle') return typeof value !== 'string' || !/\s/.test(value);
  if (typeof value === 'boolean') return value === (kind === 'good');
  return wordsFor(ontology).plain.has(String(value).toLowerCase());
}
