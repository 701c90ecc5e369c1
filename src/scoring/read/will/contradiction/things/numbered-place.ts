/** A place of the user's name with another number: 41 Alder Court for «14 Alder Court», Shed C for «Shed G». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest, userWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  others: new Set([
    ...setOf(ontology, 'stop_words'),
    ...listOf(ontology, 'weekday_names'),
    ...listOf(ontology, 'month_names').flatMap((month) => [month, month.slice(0, 3)]),
  ]),
}));

const MAX_LEAVES = 100;
const MAX_PLACES = 32;
const LONGEST_REQUEST = 8_192;
const LONGEST_VALUE = 160;
/** A number before a name, a number or a single capital behind it. */
const BEFORE = /(?<![\p{L}\p{N}.,/:-])(\d{1,5})\s(\p{Lu}\p{Ll}{2,20}(?:\s\p{Lu}\p{Ll}{2,20})?)(?![\p{L}\p{N}])/gu;
const BEHIND =
  /(?<![\p{L}\p{N}])(\p{Lu}\p{Ll}{2,20}(?:\s\p{Lu}\p{Ll}{2,20})?)\s(\d{1,5}|[A-Z])(?![\p{L}\p{N}'’:]|[.,]\d)/gu;
const BORDERS = { before: /[\p{L}\p{N}]/u, behind: /^[\p{L}\p{N}]/u };

interface Place {
  name: string;
  number: string;
  text: string;
}

/** Of a name of two words, either may be the last word of a sentence: `Open Shed G` is Shed G. */
function placesIn(text: string, ontology: Ontology): readonly Place[] {
  const { others } = words(ontology);
  const found = [
    ...[...text.matchAll(BEFORE)].map(([whole, number = '', name = '']) => ({
      name: foldText(name),
      number,
      text: whole,
    })),
    ...[...text.matchAll(BEHIND)].map(([whole, name = '', number = '']) => ({
      name: foldText(name),
      number,
      text: whole,
    })),
  ];
  return found.filter(({ name }) => !name.split(' ').some((word) => others.has(word))).slice(0, MAX_PLACES);
}

const askedPlaces = perRequest((said, ontology) => placesIn(said.slice(0, LONGEST_REQUEST), ontology));

const isSame = (a: string, b: string): boolean => a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`);

export function numberedPlaces(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const asked = askedPlaces(text);
  if (asked.length === 0) return [];
  const said = userWords(text).slice(0, LONGEST_REQUEST);
  const used = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ path, value }) =>
      typeof value === 'string' && value.length <= LONGEST_VALUE && !value.includes('\n')
        ? placesIn(value, ontology).map((place) => ({ path, ...place }))
        : [],
    );
  return used.flatMap(({ path, name, number, text: place }) => {
    const own = asked.filter((one) => isSame(one.name, name));
    const [first] = own;
    // A number that the user gives in any other sense may be meant.
    if (first === undefined || own.some((one) => one.number === number) || standsAlone(number, said, BORDERS))
      return [];
    return [{ parameter: path, asked: first.text, used: place, kind: 'name' as const, factor: 1, is_less: false }];
  });
}
