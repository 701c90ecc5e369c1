/** A place of the user's name with another number: 41 Alder Court for «14 Alder Court», Shed C for «Shed G». */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../../events/parameters.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest, userWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';
import { isUnit } from '../values/quantities.ts';

const words = perOntology((ontology) => ({
  others: new Set([
    ...setOf(ontology, 'stop_words'),
    ...setOf(ontology, 'clock_words'),
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

/** The word that stands at a place of the text. */
const WORD_BEHIND = /^[\s-]?(\p{L}{1,20})(?![\p{L}\p{N}])/u;

/** Of a name of two words, either may be the last word of a sentence: `Open Shed G` is Shed G. */
function placesIn(text: string, ontology: Ontology): readonly Place[] {
  const { others } = words(ontology);
  const found = [
    ...[...text.matchAll(BEFORE)].map(([whole, number = '', name = '']) => ({
      name: foldText(name),
      number,
      text: whole,
    })),
    ...[...text.matchAll(BEHIND)]
      // «Cefquinom 75 mg»: the number measures.
      .filter(
        ({ index, 0: whole }) => !isMeasured(text.slice(index + whole.length, index + whole.length + 24), ontology),
      )
      .map(([whole, name = '', number = '']) => ({
        name: foldText(name),
        number,
        text: whole,
      })),
  ];
  // «18 Uhr», «3 Tage»: languages that write nouns with a capital write units so, too.
  return found
    .filter(({ name }) => !name.split(' ').some((word) => others.has(word) || isUnit(word, ontology)))
    .slice(0, MAX_PLACES);
}

function isMeasured(behind: string, ontology: Ontology): boolean {
  const word = WORD_BEHIND.exec(behind)?.[1];
  return word !== undefined && isUnit(foldText(word), ontology);
}

const askedPlaces = perRequest((said, ontology) => placesIn(said.slice(0, LONGEST_REQUEST), ontology));

const isPlaceOf = ({ name, value }: Leaf, place: Place): boolean =>
  String(value) === place.number && isSame(foldText(name), place.name);

const isSame = (a: string, b: string): boolean => a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`);

export function numberedPlaces(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const asked = askedPlaces(text);
  if (asked.length === 0) return [];
  const said = userWords(text).slice(0, LONGEST_REQUEST);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const used = leaves.flatMap(({ path, value }) =>
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
    // `{ tray: 14, note: "tray 9 sent instead" }`: the action is at the user's place, and tells of another.
    if (leaves.some((leaf) => leaf.path !== path && own.some((one) => isPlaceOf(leaf, one)))) return [];
    return [{ parameter: path, asked: first.text, used: place, kind: 'name' as const, factor: 1, is_less: false }];
  });
}
