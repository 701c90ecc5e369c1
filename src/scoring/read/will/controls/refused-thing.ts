/** What the user refused or excepted in so many words, and the call includes: a deposit, «everything except the cost estimate». */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, patternsOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  refused: new RegExp(patternOf(ontology, 'refused_phrases', 'any').source, 'giu'),
  excepted: new RegExp(patternOf(ontology, 'excepted_phrases', 'any').source, 'gi'),
  goals: [...patternsOf(ontology, 'denied_goals').values()].map(({ source }) => new RegExp(source, 'g')),
  synonyms: [...tableOf(ontology, 'refused_synonyms')].map(([name, said]) => ({ name, said: new Set(said) })),
  unrefused: setOf(ontology, 'unrefused_words'),
  stop_words: setOf(ontology, 'stop_words'),
  spared: setOf(ontology, 'sparing_names'),
}));

const MAX_LEAVES = 200;
const MAX_REQUEST = 8_192;
const MAX_PHRASES = 12;
const LONGEST_NAME = 120;
/** One word may stand in the name of anything. */
const LEAST_WORDS = 2;
const LONGEST_OWN_NAME = 40;

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

/** The words behind «except» that are names, as the user writes them: «all but the two hosts Nix and Poma». */
const exceptedNames = perRequest((said, ontology): ReadonlySet<string> => {
  const { excepted } = words(ontology);
  const found = [...said.slice(0, MAX_REQUEST).matchAll(excepted)]
    .slice(0, MAX_PHRASES)
    .flatMap(([, phrase = '']) => phrase.split(/[^\p{L}\p{N}_.-]+/u).filter(isName));
  return new Set(found.map(foldText));
});

/** A word with a capital, or with a digit. */
const isName = (word: string): boolean => /^\p{Lu}/u.test(word) || /\d/.test(word);

/** «Not to all members»: the words of whom or what the user does not mean. */
const deniedGoals = perRequest((said, ontology): readonly (readonly string[])[] => {
  const { goals, stop_words } = words(ontology);
  const folded = foldText(said.slice(0, MAX_REQUEST));
  return goals
    .flatMap((form) => [...folded.matchAll(form)].slice(0, MAX_PHRASES))
    .map(([, phrase = '']) =>
      phrase
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word.length > 2 && !stop_words.has(word))
        .map(singular),
    );
});

/** The parameter that holds it; '' if the call includes nothing of the kind. */
export function refusedThing(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const names = refusedNames(text);
  const things = exceptedThings(text);
  const own_names = exceptedNames(text);
  const { spared } = words(ontology);
  const goals = deniedGoals(text);
  if (names.size === 0 && things.length === 0 && own_names.size === 0 && goals.length === 0) return '';
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
      if (
        typeof value === 'string' &&
        value.length <= LONGEST_OWN_NAME &&
        goals.some((goal) => isGoal(path, value, goal, spared))
      )
        return true;
      if (!is_element || typeof value !== 'string' || value.length > LONGEST_NAME) return false;
      const folded = foldText(value).trim();
      const parts = folded.length <= LONGEST_OWN_NAME ? folded.split(/\s+/) : [];
      const isSpared = path.split(/[.[\]]/).some((part) => wordsOf(part).some((word) => spared.has(word)));
      if (!isSpared && parts.length > 0 && parts.every((part) => own_names.has(part))) return true;
      const of_value = new Set(wordsOf(folded).map(singular));
      return things.some((thing) => thing.every((word) => of_value.has(word)));
    });
  return found?.path ?? '';
}

/** A value that is nothing but the first words of what is not meant, in a parameter that leaves nothing out. */
function isGoal(path: string, value: string, goal: readonly string[], spared: ReadonlySet<string>): boolean {
  const of_value = wordsOf(foldText(value)).map(singular);
  const isSpared = path.split(/[.[\]]/).some((part) => wordsOf(part).some((word) => spared.has(word)));
  return (
    !isSpared &&
    of_value.length > 0 &&
    of_value.every((word) => word === goal[0] || goal.slice(0, GOAL_WORDS).includes(word))
  );
}

/** Words of a goal that name it. */
const GOAL_WORDS = 3;
