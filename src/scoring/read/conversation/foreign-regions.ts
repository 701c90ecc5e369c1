/**
 * Parts of a page that say themselves that somebody else than the page's author wrote them: an advertisement, comments, reviews. A
 * user who leaves a task to a page leaves it to none of these. They are told by the attributes of HTML elements and by the fields of
 * JSON, because a text cannot take itself out of the element or field around it.
 */
import type { Json } from '../../../lang/json.ts';
import { parseLax } from '../../../lang/lax-json.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../ontology/words.ts';
import { wordsIn } from '../words/fold.ts';
import { memoOf, type TextReading } from './text.ts';
import { resultContents } from './transcript/answered-calls.ts';
import { plainWords } from './transcript/plain-words.ts';
import { userWords } from './user-words.ts';

/** Bounds of the work; what lies beyond them belongs to the page. */
const MAX_RESULT = 262_144;
const MAX_REGIONS = 500;
const MAX_DEPTH = 32;
const MAX_REQUEST = 8_192;

const wordsFor = perOntology((ontology) => ({
  kinds: tableOf(ontology, 'foreign_regions'),
  attributes: setOf(ontology, 'region_attributes'),
  void: setOf(ontology, 'void_elements'),
  ended_by_next: setOf(ontology, 'elements_ended_by_next'),
}));

/** The texts of the regions of all results, each as words parted by blanks. Regions of which the user speaks are left out. */
export function foreignRegions(text: TextReading): readonly string[] {
  return memoOf(text).get('foreign regions', () => {
    const words = foreignWords(text);
    const found: string[] = [];
    for (const content of resultContents(text)) readContent(content, text.ontology, words, found);
    return found.slice(0, MAX_REGIONS).map((one) => plainWords(one, text.ontology));
  });
}

/** Words that name a region, without those of a kind that the user names: «do what the comments ask for». */
function foreignWords(text: TextReading): ReadonlySet<string> {
  const said = new Set(wordsIn(userWords(text).slice(0, MAX_REQUEST)));
  const kinds = [...wordsFor(text.ontology).kinds.values()];
  return new Set(kinds.filter((words) => !words.some((word) => said.has(word))).flat());
}

function readContent(content: Json, ontology: Ontology, words: ReadonlySet<string>, into: string[]): void {
  if (typeof content !== 'string') {
    readValue(content, ontology, words, into, 0);
    return;
  }
  const text = content.slice(0, MAX_RESULT);
  const value = /^\s{0,8}[[{]/.test(text) ? parseLax(text) : undefined;
  if (value !== undefined) readValue(value, ontology, words, into, 0);
  else readMarkup(text, ontology, words, into);
}

function readValue(value: Json, ontology: Ontology, words: ReadonlySet<string>, into: string[], depth: number): void {
  if (depth > MAX_DEPTH || into.length >= MAX_REGIONS) return;
  if (typeof value === 'string') readMarkup(value.slice(0, MAX_RESULT), ontology, words, into);
  else if (Array.isArray(value)) for (const one of value) readValue(one, ontology, words, into, depth + 1);
  else if (value !== null && typeof value === 'object') {
    for (const [key, one] of Object.entries(value)) {
      // A list of theirs; a single `comment` is a field of the record's own author.
      if (Array.isArray(one) && wordsOf(key).some((word) => words.has(word))) into.push(textsOf(one, depth + 1));
      else readValue(one, ontology, words, into, depth + 1);
    }
  }
}

function textsOf(value: Json, depth: number): string {
  if (value === null || depth > MAX_DEPTH) return '';
  if (typeof value !== 'object') return String(value);
  return Object.values(value)
    .map((one: Json) => textsOf(one, depth + 1))
    .join('\n');
}

/** A tag: whether it ends an element, its name, and its attributes. What stands between `<` and `>` is short in any page. */
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9-]{0,31})\b([^<>]{0,2048})>/g;
/** An attribute with a value in quotes. */
const ATTRIBUTE = /([a-zA-Z][a-zA-Z-]{0,31})\s{0,4}=\s{0,4}(?:"([^"]{0,512})"|'([^']{0,512})')/g;

/** Adds the text of each element that is marked as a region, to its end or that of the text; linear in the text. */
function readMarkup(text: string, ontology: Ontology, words: ReadonlySet<string>, into: string[]): void {
  if (!text.includes('<')) return;
  const elements = wordsFor(ontology);
  let region: { name: string; from: number; depth: number } | null = null;
  for (const tag of text.matchAll(TAG)) {
    if (into.length >= MAX_REGIONS) return;
    const [whole, slash, name, attributes] = tag as unknown as [string, string, string, string];
    const element = name.toLowerCase();
    if (attributes.endsWith('/') || elements.void.has(element)) continue;
    if (region !== null && element === region.name) {
      region.depth += slash === '' && !elements.ended_by_next.has(element) ? 1 : -1;
      if (region.depth > 0) continue;
      into.push(text.slice(region.from, tag.index));
      region = null;
    }
    if (region === null && slash === '' && marks(attributes, ontology, words))
      region = { name: element, from: tag.index + whole.length, depth: 1 };
  }
  if (region !== null) into.push(text.slice(region.from));
}

function marks(attributes: string, ontology: Ontology, words: ReadonlySet<string>): boolean {
  const { attributes: names } = wordsFor(ontology);
  for (const [, name, double, single] of attributes.matchAll(ATTRIBUTE)) {
    if (!names.has(name!.toLowerCase())) continue;
    if (wordsOf(double ?? single ?? '').some((word) => words.has(word))) return true;
  }
  return false;
}
