/**
 * A thing that the user wants to stay as it is, and a call that changes it: «the billing address stays as it is», «leave the south wing
 * alone», «nothing about the attendee list changes».
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Json } from '../../../../lang/json.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, patternsOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText, wordsIn } from '../../words/fold.ts';

/** Where the words of the thing stand, as the names of the patterns begin. */
const PLACES = ['within', 'behind', 'before'] as const;
type Place = (typeof PLACES)[number];

const words = perOntology((ontology) => ({
  forms: [...patternsOf(ontology, 'things_that_stay')].map(([name, { source }]) => ({
    place: PLACES.find((place) => name.startsWith(place))!,
    pattern: new RegExp(source, 'g'),
  })),
  /** Words at which the name of a thing begins or ends. */
  borders: setOf(ontology, 'kept_borders'),
  /** «Until I say so», «without asking me»: it may change later. */
  conditions: setOf(ontology, 'kept_conditions'),
  idle: new Set([...setOf(ontology, 'stop_words'), ...setOf(ontology, 'any_object'), ...setOf(ontology, 'kept_idle')]),
  spared: setOf(ontology, 'sparing_names'),
  told: setOf(ontology, 'remark_names'),
  /** `zone != 'south wing'` leaves it out. */
  leaves_out: patternOf(ontology, 'sparing_values', 'any'),
}));

const MAX_REQUEST = 8_192;
const MAX_FORMS = 12;
const MAX_LEAVES = 100;
/** A longer value is content and no name. */
const LONGEST_NAME = 60;
const MOST_WORDS = 5;
const SHORTEST = 3;
/** Words of a thing: of a longer phrase those nearest to the form count. */
const MOST_OF_THING = 6;

interface Thing {
  /** In the singular. */
  words: readonly string[];
  /** Those that the user says nowhere else: by them it is told from what the work is about. */
  telling: readonly string[];
}

/** A thing of which the user says every word elsewhere, too, is what the work is about. */
const keptThings = perRequest((said, ontology): readonly Thing[] => {
  const folded = foldText(said.slice(0, MAX_REQUEST));
  const things: string[][] = [];
  let others = folded;
  for (const { pattern, place } of words(ontology).forms) {
    for (const [whole, ...phrases] of [...folded.matchAll(pattern)].slice(0, MAX_FORMS)) {
      const thing = thingOf(phrases.find((phrase) => phrase !== undefined) ?? '', place, ontology);
      if (thing.length === 0) continue;
      things.push(thing);
      others = others.replace(whole, ' . ');
    }
  }
  if (things.length === 0) return [];
  const elsewhere = new Set(wordsIn(others).map(singular));
  return things
    .map((thing) => ({ words: thing, telling: thing.filter((word) => !elsewhere.has(word)) }))
    .filter(({ telling }) => telling.length > 0);
});

function thingOf(phrase: string, place: Place, ontology: Ontology): string[] {
  const { borders, conditions, idle } = words(ontology);
  const said = wordsIn(phrase);
  if (said.some((word) => conditions.has(word))) return [];
  while (place === 'before' && borders.has(said.at(-1) ?? '')) said.pop();
  const first = place === 'before' ? said.findLastIndex((word) => borders.has(word)) + 1 : 0;
  const border = place === 'behind' ? said.findIndex((word) => borders.has(word)) : -1;
  const named = said.slice(first, border < 0 ? said.length : border);
  const near = place === 'before' ? named.slice(-MOST_OF_THING) : named.slice(0, MOST_OF_THING);
  return near.filter((word) => (word.length >= SHORTEST || /^\d/.test(word)) && !idle.has(word)).map(singular);
}

/** The parameter by which the call changes it, or `action` where its name says so; '' if it changes no such thing. */
export function keptThing(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const things = keptThings(text);
  if (things.length === 0) return '';
  const { spared, told, leaves_out } = words(ontology);
  const of_action = new Set(wordsOf(event.action.replaceAll(':', '_')).map(singular));
  if (things.some((thing) => thing.words.every((word) => of_action.has(word)))) return 'action';
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    const names = wordsOf(path.replaceAll(/[.[\]\d]+/g, '_'));
    if (!isTaken(value) || names.some((name) => spared.has(name))) continue;
    const called = told.has(names.join('_')) ? [] : wordsOfName(value, leaves_out).map(singular);
    const own = new Set([...names.map(singular), ...called]);
    if (things.some((thing) => isNamed(thing, own, of_action) || isCalled(thing, called))) return path;
  }
  return '';
}

/** Every word of the thing stands in the parameter, or in the name of the action beside it. */
const isNamed = ({ words: thing }: Thing, own: ReadonlySet<string>, of_action: ReadonlySet<string>): boolean =>
  thing.some((word) => own.has(word)) && thing.every((word) => own.has(word) || of_action.has(word));

/** «The worker pods» are what `deployment: worker` runs: the value leaves out what kind of thing it is. */
const isCalled = (thing: Thing, called: readonly string[]): boolean =>
  called.some((word) => thing.telling.includes(word)) && called.every((word) => thing.words.includes(word));

/** `notify: false` and an empty list do nothing to what they name. */
const isTaken = (value: Json): boolean => value !== false && value !== null && value !== '' && value !== 0;

function wordsOfName(value: Json, leaves_out: RegExp): readonly string[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'string' || value.length > LONGEST_NAME || leaves_out.test(value)) return [];
  return value.split(' ').length > MOST_WORDS ? [] : [...new Set([...wordsIn(value), ...wordsOf(foldText(value))])];
}
