/**
 * Fields of results that the user points at: «the two that Priya entered in the record's 'Implementation' field», «the number in the
 * signed salary form» where a result has `"signed_salary_form"`. What stands there is what the user wants. A name counts only as a key of
 * the structure: a text cannot make a field of itself.
 */
import type { Json } from '../../../lang/json.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { wordsIn } from '../words/fold.ts';
import { parsed } from './authors.ts';
import { memoOf, type TextReading } from './text.ts';
import { resultContents } from './transcript/answered-calls.ts';
import { plainWords } from './transcript/plain-words.ts';
import { userWords } from './user-words.ts';

const wordsFor = perOntology((ontology) => ({ nouns: setOf(ontology, 'field_nouns') }));

const MAX_RESULT = 65_536;
const MAX_VALUES = 2_000;
const MAX_DEPTH = 16;
const MAX_REQUEST = 8_192;
/** A shorter word alone, such as `id`, stands in any request. */
const SHORTEST_ALONE = 4;
/** Words between the name of a field and the noun that says that it is one: «in the 'Implementation' field». */
const NOUN_REACH = 2;

/** Whether these words stand in a field that the user points at. */
export const isInPointedField = (words: string, text: TextReading): boolean => standsInField(words, text) === true;

/** Whether the user points at a field that a result has, and it does not hold these words. */
export const isBesidePointedField = (words: string, text: TextReading): boolean => standsInField(words, text) === false;

/** undefined where the user points at no field, or there are no words. */
function standsInField(words: string, text: TextReading): boolean | undefined {
  const fields = pointedTexts(text);
  const said = fields.length === 0 ? '' : plainWords(words, text.ontology);
  return said === '' ? undefined : fields.some((field) => field.includes(said));
}

function pointedTexts(text: TextReading): readonly string[] {
  return memoOf(text).get('pointed fields', () => {
    const said = wordsIn(userWords(text).slice(0, MAX_REQUEST));
    if (said.length === 0) return [];
    const isPointed = (key: string): boolean => namesField(key, said, text.ontology);
    const found: string[] = [];
    for (const content of resultContents(text)) {
      const value = typeof content === 'string' ? parsed(content.slice(0, MAX_RESULT)) : content;
      if (value !== undefined) collect(value, isPointed, false, found, 0);
    }
    return found.map((one) => plainWords(one, text.ontology));
  });
}

function collect(
  value: Json,
  isPointed: (key: string) => boolean,
  isInside: boolean,
  into: string[],
  depth: number,
): void {
  if (into.length >= MAX_VALUES || depth > MAX_DEPTH) return;
  if (typeof value === 'string' || typeof value === 'number') {
    if (isInside) into.push(String(value));
  } else if (Array.isArray(value)) for (const one of value) collect(one, isPointed, isInside, into, depth + 1);
  else if (value !== null && typeof value === 'object')
    for (const [key, one] of Object.entries(value))
      collect(one, isPointed, isInside || isPointed(key), into, depth + 1);
}

/** All words of the key side by side in the request; a key of one word needs a noun such as «field» beside it. */
function namesField(key: string, said: readonly string[], ontology: Ontology): boolean {
  const name = wordsIn(key.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
  if (name.length === 0) return false;
  const at = said.findIndex((_, i) => name.every((word, n) => isWord(said[i + n], word)));
  if (at < 0) return false;
  if (name.length > 1) return true;
  const { nouns } = wordsFor(ontology);
  const near = said.slice(Math.max(0, at - NOUN_REACH), at + 1 + NOUN_REACH);
  return name[0]!.length >= SHORTEST_ALONE && near.some((word) => word !== name[0] && nouns.has(word));
}

/** Languages that write an article or a preposition as one with the noun: «النموذج» and «نموذج». */
const isWord = (said: string | undefined, word: string): boolean =>
  said !== undefined &&
  (said === word || (word.length >= SHORTEST_ALONE && said.endsWith(word) && said.length <= word.length + 2));
