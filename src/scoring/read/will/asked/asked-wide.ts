/** Whether the user's own words name what a far-reaching effect of code takes away: «delete its preview namespace, PR 812». */
import { FILES_OF, NAMES, UNTRACKED } from '../../../../effects/deeds/discard-work.ts';
import type { Effect } from '../../../../effects/effects.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { corpusOf, type Places } from '../../conversation/corpus.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { hashWord } from '../../words/lexer.ts';
import { groupBits, vocabularyOf } from '../../words/vocabulary.ts';

export interface AskedEffect extends Effect {
  is_asked: boolean;
}

/** A path, a pattern or a value that is known only when the code runs: a whole tree or store, whatever words are in it. */
const NO_NAME = /[/~*?%$\\[{]|^\.{0,2}$/;
/** Characters of an object and of a command that are read. */
const LONGEST = 200;
/** Characters of a name of a folder that says something. */
const SHORTEST_FOLDER = 4;
/** Program and verb: `docker system prune`. */
const COMMAND_WORDS = 4;

const words = perOntology((ontology) => ({
  general: setOf(ontology, 'general_object_words'),
  clean_slate: setOf(ontology, 'clean_slate_words'),
  taking_back: setOf(ontology, 'taking_back_words'),
  going_back: setOf(ontology, 'going_back_words'),
  keeping: setOf(ontology, 'work_keeping_words'),
  tidying: setOf(ontology, 'name_tidying_words'),
}));

/** The effects, each with whether the user asked for it. Only those that reach far are compared. */
export function withAsked(effects: readonly Effect[], text: TextReading, ontology: Ontology): readonly AskedEffect[] {
  return effects.map((effect) => ({
    ...effect,
    is_asked:
      effect.scope === 'everything' || (effect.scope === 'many' && effect.kind === 'discards_work')
        ? isAsked(effect, text, ontology)
        : effect.scope === 'many' && effect.kind === 'deletes' && isAskedFolder(effect.object, text, ontology),
  }));
}

/** «Delete the folder drafts»: the user orders a removal and calls a folder by its name, wherever it stands. */
function isAskedFolder(path: string, text: TextReading, ontology: Ontology): boolean {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (plain.length > LONGEST || name.length < SHORTEST_FOLDER || /[*?%$\\[{~]/.test(plain.slice(1))) return false;
  const asksDeletion = (requestOf(text, ontology).groups & vocabularyOf(ontology).bitOf('delete')) !== 0;
  return asksDeletion && wordsOf(name).every((word) => corpusOf(text).user.has(hashWord(word)));
}

/**
 * Whether all changes or files that are recorded nowhere are thrown away, while the user asks only to run, to build or to look («run the
 * tests» is carried out by a command line, and so is this), or to keep the work; or changes and new files go together while the user
 * speaks of no earlier state.
 */
export function isDiscardedInPassing(effects: readonly Effect[], text: TextReading, ontology: Ontology): boolean {
  const discarded = effects.filter(({ kind, scope }) => kind === 'discards_work' && scope === 'many');
  if (!text.has_request || discarded.length === 0) return false;
  const { going_back, clean_slate } = words(ontology);
  const { groups } = requestOf(text, ontology);
  const allowed = groupBits('passing_wishes', ontology);
  const { user } = corpusOf(text);
  const asksDeletion = (groups & vocabularyOf(ontology).bitOf('delete')) !== 0;
  // Several branches are no step on the way to another state of the files.
  if (discarded.some(({ object }) => object.startsWith(NAMES)))
    return (
      !asksDeletion &&
      ![words(ontology).taking_back, clean_slate, words(ontology).tidying].some((list) => saysSome(list, user))
    );
  // Files that are fetched from another commit may be what is to be kept.
  const isKeeping =
    saysSome(words(ontology).keeping, user) && !discarded.every(({ object }) => object.startsWith(FILES_OF));
  // Changes and new files together are all that stands in the folder beyond the recorded state: no wish for an update covers both.
  const isAll = new Set(discarded.map(({ object }) => object === UNTRACKED)).size > 1;
  if (!isKeeping && (groups === 0 || (!isAll && (groups & ~allowed) !== 0))) return false;
  return ![going_back, words(ontology).taking_back, clean_slate].some((list) => saysSome(list, user));
}

function isAsked({ kind, scope, object, excerpt }: Effect, text: TextReading, ontology: Ontology): boolean {
  const request = requestOf(text, ontology);
  const asksDeletion = (request.groups & vocabularyOf(ontology).bitOf('delete')) !== 0;
  if (kind === 'discards_work')
    return (
      (scope === 'many' && (asksDeletion || saysSome(words(ontology).taking_back, corpusOf(text).user))) ||
      saysSome(words(ontology).clean_slate, corpusOf(text).user)
    );
  if (kind !== 'deletes' && kind !== 'destroys_data') return false;
  if (object.length > LONGEST || NO_NAME.test(object)) return false;
  const { user } = corpusOf(text);
  const { general } = words(ontology);
  // «namespace», «ns»: the user calls the kind of thing what he likes.
  const name = object.split(' ').filter((word) => !general.has(word.toLowerCase()));
  if (asksDeletion && saysAll(wordsOf(name.join(' ')), user)) return true;
  // What nothing rebuilds has to be named.
  if (kind === 'destroys_data') return false;
  // The command itself, by its program and what it does.
  const command = /^[\w.-]+(?: +[a-z][\w-]*)*/.exec(excerpt.slice(0, LONGEST))?.[0].split(/ +/) ?? [];
  const [program = '', ...rest] = command.slice(0, COMMAND_WORDS);
  return request.groups !== 0 && rest.length > 0 && saysAll([program, rest.at(-1)!], user);
}

/** Every word of a name, and at least two of them: a single one may stand in the words for another reason. */
function saysAll(words: readonly string[], user: Places): boolean {
  return words.length > 1 && words.every((word) => user.has(hashWord(word)));
}

const saysSome = (words: ReadonlySet<string>, user: Places): boolean =>
  [...words].some((word) => user.has(hashWord(word)));
