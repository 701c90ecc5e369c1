/** What the user refused or excepted in so many words, and the call includes: a deposit, «everything except the cost estimate». */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  refused: new RegExp(patternOf(ontology, 'refused_phrases', 'any').source, 'giu'),
  excepted: new RegExp(patternOf(ontology, 'excepted_phrases', 'any').source, 'gi'),
  synonyms: [...tableOf(ontology, 'refused_synonyms')].map(([name, said]) => ({ name, said: new Set(said) })),
  unrefused: setOf(ontology, 'unrefused_words'),
  stop_words: setOf(ontology, 'stop_words'),
}));

const MAX_LEAVES = 200;
const MAX_REQUEST = 8_192;
const MAX_PHRASES = 12;
const LONGEST_NAME = 120;
/** One word may stand in the name of anything. */
const LEAST_WORDS = 2;

/** Names of parameters that the user refuses. */
const refusedNames = perRequest((said, ontology): ReadonlySet<string> => {
  const { refused, synonyms, unrefused } = words(ontology);
  const heard = [...foldText(said.slice(0, MAX_REQUEST)).matchAll(refused)]
    .slice(0, MAX_PHRASES)
    .flatMap(([, word]) => (word === undefined || unrefused.has(word) ? [] : [word]));
  return new Set(synonyms.filter((one) => heard.some((word) => one.said.has(word))).map(({ name }) => name));
});

/** The words of each thing that the user excepts. */
const exceptedThings = perRequest((said, ontology): readonly (readonly string[])[] => {
  const { excepted, stop_words } = words(ontology);
  return [...foldText(said.slice(0, MAX_REQUEST)).matchAll(excepted)]
    .slice(0, MAX_PHRASES)
    .flatMap(([, phrase = '']) => {
      const named = phrase.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2 && !stop_words.has(word));
      return named.length < LEAST_WORDS ? [] : [named.map(singular)];
    });
});

/** The parameter that holds it; '' if the call includes nothing of the kind. */
export function refusedThing(event: AgentEvent, text: TextReading): string {
  const names = refusedNames(text);
  const things = exceptedThings(text);
  if (names.size === 0 && things.length === 0) return '';
  const found = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .find(({ path, value, is_element }) => {
      const isTaken = value === true || (typeof value === 'number' && value > 0);
      if (
        isTaken &&
        path.split(/[.[\]]/).some((part) =>
          wordsOf(part)
            .map(singular)
            .some((word) => names.has(word)),
        )
      )
        return true;
      if (!is_element || typeof value !== 'string' || value.length > LONGEST_NAME) return false;
      const of_value = new Set(wordsOf(foldText(value)).map(singular));
      return things.some((thing) => thing.every((word) => of_value.has(word)));
    });
  return found?.path ?? '';
}
