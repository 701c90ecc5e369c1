/** A list that holds the one thing the request names and others beside it: the kitchen light, and the alarm panel. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Json } from '../../../../../lang/json.ts';
import { singular, snakeCase, wordsOf } from '../../../../../lang/names.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import { requestOf } from '../../../conversation/request.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { recordsOf } from '../../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText, wordsIn } from '../../../words/fold.ts';
import { meansSeveral } from './several.ts';

const words = perOntology((ontology) => ({
  describing: setOf(ontology, 'describing_lists'),
  handed: setOf(ontology, 'handed_things'),
  naming: setOf(ontology, 'object_name_keys'),
  settings: setOf(ontology, 'whole_setting_words'),
  stop_words: setOf(ontology, 'stop_words'),
}));

const MOST_OBJECTS = 60;
const LONGEST_NAME = 64;
/** Letters of the first and of the second part of a compound. */
const STEM = 4;
const LEAST_JOINED = 3;
const SHORTEST = 3;

/** Names in a list beside the one thing that the request means, in the order of the list; none where it may mean several. */
export function furtherObjects(event: AgentEvent, ontology: Ontology, text: TextReading): readonly string[] {
  const lists = parametersOf(event).entries.filter(
    ({ name, value }) =>
      Array.isArray(value) && value.length > 1 && value.length <= MOST_OBJECTS && isOfObjects(name, ontology),
  );
  if (lists.length === 0) return [];
  const request = requestOf(text, ontology);
  if (!request.has_words || request.is_open_ended) return [];
  if (meansSeveral(text)) return [];
  const { stop_words, settings } = words(ontology);
  const own = new Set(
    wordsIn(foldedUserWords(text))
      .filter((word) => word.length >= SHORTEST && !stop_words.has(word))
      .map(singular),
  );
  if ([...settings].some((word) => own.has(word))) return [];
  for (const { value } of lists) {
    const objects = (value as readonly Json[]).map((object) => nameOf(object, ontology));
    const further = beside(objects, tellings(objects, text), own);
    if (further.length > 0) return further;
    const unnamed = besideNamedIds(objects, foldedUserWords(text));
    if (unnamed.length > 0) return unnamed;
  }
  return [];
}

/** A list of things has a name in the plural: `devices`; `door: [driver, rear_left]` gives the parts of one thing. */
function isOfObjects(name: string, ontology: Ontology): boolean {
  const { describing, handed } = words(ontology);
  const of_name = wordsOf(name);
  const last = of_name.at(-1) ?? '';
  // What is handed over by its id is a thing of its own, even where a list of such things describes another one.
  const isHanded = last === 'ids' && of_name.some((word) => handed.has(singular(word)));
  if (isHanded) return true;
  return (singular(last) !== last || last === 'ids') && !of_name.some((word) => describing.has(singular(word)));
}

/** `data:/var/lib/data`: what a container sees of its host is a setting of the one container. */
const BOUND = /^[^:\s]{1,200}:\/(?!\/)\S{0,200}$/;

/** A text, a number, or the name or id in a record. */
function nameOf(object: Json, ontology: Ontology): string {
  if (typeof object === 'number') return String(object);
  if (typeof object === 'string') return object.length <= LONGEST_NAME && !BOUND.test(object) ? object : '';
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return '';
  const { naming } = words(ontology);
  const named = Object.entries(object).find(
    ([key, value]) => typeof value === 'string' && value.length <= LONGEST_NAME && naming.has(snakeCase(key)),
  );
  return named === undefined ? '' : String(named[1]);
}

/**
 * What tells of each object: the words of its name or, where its name is a mere id, those of each record with this id. Each record
 * counts by itself, so that a further one, which a tool may have been told to write, hides no other.
 */
function tellings(objects: readonly string[], text: TextReading): readonly (readonly (readonly string[])[])[] {
  const named = objects.map((object) => [tellingWords(object)]);
  if (!objects.some((object) => MERE_ID.test(object))) return named;
  const records = recordsOf(text);
  return objects.map((object, i) => {
    if (!MERE_ID.test(object)) return named[i]!;
    const found = records.filter(({ fields }) => [...fields.values()].includes(object)).slice(0, MOST_RECORDS);
    if (found.length === 0) return named[i]!;
    return found.map(({ fields }) =>
      tellingWords([...fields.values()].filter((value) => value !== object && value.length <= LONGEST_FIELD).join(' ')),
    );
  });
}

const MOST_RECORDS = 8;
const LONGEST_FIELD = 120;
/** `d-5512`, `doc_77`: a short kind and a number. */
const MERE_ID = /^[a-z]{0,5}[-_:#]?\d[\w-]{0,40}$/i;

const tellingWords = (name: string): readonly string[] => [
  ...new Set(
    wordsOf(foldText(name.replace(/([a-z])([A-Z])/g, '$1 $2')))
      .map(singular)
      .filter((word) => word.length >= SHORTEST && /^\p{L}+$/u.test(word)),
  ),
];

/** Those of the objects that share no word with the request, where one of them does. */
function beside(
  objects: readonly string[],
  told: readonly (readonly (readonly string[])[])[],
  own: ReadonlySet<string>,
): readonly string[] {
  // A word of most objects («light») tells none of them apart.
  const isCommon = (word: string): boolean =>
    told.filter((of) => of.some((one) => one.includes(word))).length * 2 > objects.length;
  const isSaid = told.map((of) => of.some((one) => one.some((word) => !isCommon(word) && isIn(own, word))));
  const isFurther = (of: readonly (readonly string[])[]): boolean =>
    of.some((one) => one.length > 0 && !one.some((word) => isIn(own, word)));
  return objects.filter((_, i) => isFurther(told[i]!) && isSaid.some((said, other) => said && other !== i));
}

/** «Tag document 881»: ids that the user did not name, in a list with the one that he named. */
function besideNamedIds(objects: readonly string[], said: string): readonly string[] {
  if (!objects.every((object) => MERE_ID.test(object))) return [];
  const unnamed = objects.filter((object) => !standsAlone(object.toLowerCase(), said));
  return unnamed.length === objects.length ? [] : unnamed;
}

/** The word itself, or a compound with it: `kuechenlicht`; «drive» is no `driver`. */
const isIn = (own: ReadonlySet<string>, word: string): boolean =>
  own.has(word) || [...own].some((said) => isCompound(said, word));

function isCompound(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= STEM && long.length - short.length >= LEAST_JOINED && long.startsWith(short);
}
