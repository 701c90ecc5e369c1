/**
 * A right that the user asks for by its result: «Volunteers should see the phone list, not change it. Set that up». Nobody says
 * «grant» there, so the reading compares what somebody is to be able to do with the right that the action gives: how far it
 * reaches, over what, and to whom.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

/** How the right that an action gives compares with the one that was asked for; '' if none was, or one of the two is not understood. */
export type GrantFit = '' | 'as_asked' | 'wider';

/** How far a right reaches, from the least on. */
const NONE = 0;
const LOOK = 1;
const USE = 2;
const CHANGE = 3;
const HIGHEST = 4;

interface Wish {
  /** The furthest that somebody is to be able to go; `NONE` where no right is asked for. */
  level: number;
  /** Stems of the user's words, and of those among them that say what is withheld. */
  stems: ReadonlySet<string>;
  withheld: ReadonlySet<string>;
  names_all: boolean;
  /** Names of roles can be compared with its words. */
  is_latin: boolean;
}

const words = perOntology((ontology) => ({
  wishes: anyOf(ontology, 'grant_wishes'),
  verbs: [
    { level: LOOK, verbs: global(anyOf(ontology, 'looking_wishes')) },
    { level: USE, verbs: global(anyOf(ontology, 'using_wishes')) },
    { level: CHANGE, verbs: global(anyOf(ontology, 'changing_wishes')) },
  ],
  only_looking: anyOf(ontology, 'looking_only'),
  withheld: anyOf(ontology, 'withheld_wishes'),
  withheld_around: anyOf(ontology, 'withheld_around'),
  breaks: global(anyOf(ontology, 'clause_breaks')),
  openers: setOf(ontology, 'question_openers'),
  levels: [
    { level: LOOK, words: setOf(ontology, 'given_looking') },
    { level: USE, words: setOf(ontology, 'given_using') },
    { level: CHANGE, words: setOf(ontology, 'given_changing') },
    {
      level: HIGHEST,
      words: new Set([...setOf(ontology, 'given_highest'), ...setOf(ontology, 'highest_right_words')]),
    },
  ],
  everything: setOf(ontology, 'words_for_all'),
  unspaced_all: patternOf(ontology, 'words_without_blanks', 'all'),
  rights: new Set([...setOf(ontology, 'right_names'), ...setOf(ontology, 'given_right_names')]),
  acts: new Set([...setOf(ontology, 'right_names'), ...setOf(ontology, 'grant_act_words')]),
  holders: new Set([...setOf(ontology, 'right_holders'), ...setOf(ontology, 'given_holder_names')]),
  withholding: setOf(ontology, 'withholding_names'),
  notes: setOf(ontology, 'noting_parameters'),
}));

const global = ({ source, flags }: RegExp): RegExp => new RegExp(source, flags.includes('g') ? flags : `${flags}g`);

const MAX_SENTENCES = 40;
const LONGEST_SENTENCE = 400;
const SENTENCE_ENDS = /(?<=[.!?])\s|(?<=[。！？])|\n/;
const MAX_LEAVES = 60;
const LONGEST_VALUE = 60;
/** Letters by which two forms of a word are taken for one, and the fewest that tell anything. */
const STEM = 5;
const SHORTEST = 3;
const WORD_BREAKS = /[^\p{L}\p{N}]+/u;

const NO_WISH: Wish = { level: NONE, stems: new Set(), withheld: new Set(), names_all: false, is_latin: true };

const wishOf: (text: TextReading) => Wish = perRequest((said, ontology) => {
  const { wishes, openers, only_looking, everything, unspaced_all } = words(ontology);
  const sentences = foldText(said)
    .split(SENTENCE_ENDS)
    .map((sentence) => sentence.trim().slice(0, LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(-MAX_SENTENCES);
  let level = NONE;
  const withheld = new Set<string>();
  for (const sentence of sentences) {
    if (sentence.endsWith('?') && openers.has(/^\p{L}+/u.exec(sentence)?.[0] ?? '')) continue;
    const asked = readClauses(sentence, withheld, ontology);
    if (wishes.test(sentence)) level = Math.max(level, asked);
  }
  if (level === NONE) return NO_WISH;
  const all = sentences.join(' ');
  const spoken = all.split(WORD_BREAKS);
  return {
    level: only_looking.test(all) ? LOOK : level,
    stems: new Set(spoken.filter((word) => word.length >= SHORTEST).map(stemOf)),
    withheld,
    names_all: spoken.some((word) => everything.has(word)) || unspaced_all.test(all),
    is_latin: !/[\u0400-\u04ff\u3040-\u9fff\uac00-\ud7af\u0600-\u06ff]/.test(all),
  };
});

const stemOf = (word: string): string => word.slice(0, STEM);

/** The furthest deed that a sentence speaks of; what it withholds is added to the set. */
function readClauses(sentence: string, withheld: Set<string>, ontology: Ontology): number {
  const { breaks, withheld: withholding, withheld_around, verbs } = words(ontology);
  let level = NONE;
  for (const clause of sentence.split(breaks)) {
    if (clause === undefined) continue;
    const from = withheld_around.test(clause) ? 0 : (withholding.exec(clause)?.index ?? clause.length);
    for (const word of clause.slice(from).split(WORD_BREAKS)) if (word.length >= SHORTEST) withheld.add(stemOf(word));
    for (const known of verbs)
      for (const { index } of clause.matchAll(known.verbs)) if (index < from) level = Math.max(level, known.level);
  }
  return level;
}

/** Compares the right that the action gives with the one that the user asks for by its result. */
export function grantFit(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): GrantFit {
  const wish = wishOf(text);
  if (wish.level === NONE || !givesRights(event, action, ontology)) return '';
  const given = givenOf(event, ontology);
  if (given.length === 0) return '';
  if (reachesFurther(given, wish, ontology)) return 'wider';
  return isAsAsked(given, wish, action, ontology) ? 'as_asked' : '';
}

/** Whether a name of the action, its tool or a parameter speaks of rights, and nothing is only looked at. */
function givesRights(
  event: AgentEvent,
  { effective_group, scope, verb, tool_name }: ActionReading,
  ontology: Ontology,
): boolean {
  if (effective_group === 'grant_escalate') return true;
  if (LOOKING.has(effective_group)) return false;
  const { acts, rights } = words(ontology);
  return (
    [scope, verb, tool_name].some((name) => wordsOf(name).some((word) => acts.has(word))) &&
    (parametersOf(event)
      .leaves.slice(0, MAX_LEAVES)
      .some(({ name }) => rights.has(name)) ||
      wordsOf(verb).some((word) => acts.has(word)))
  );
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'list_search']);

interface GivenLeaf {
  words: readonly string[];
  is_right: boolean;
  is_holder: boolean;
}

/** The short texts among the parameters that say who gets what. */
function givenOf(event: AgentEvent, ontology: Ontology): readonly GivenLeaf[] {
  const { rights, holders, withholding, notes } = words(ontology);
  const read = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(
      ({ name, path, value }) =>
        typeof value === 'string' &&
        value.length <= LONGEST_VALUE &&
        !/[(){}]/.test(value) &&
        !notes.has(name) &&
        !path.split(/[.[\]]/).some((part) => withholding.has(part)),
    );
  const isNamed = (leaf: Leaf, names: ReadonlySet<string>): boolean => names.has(leaf.name);
  // A role holds the right that another parameter names, or is itself the right that somebody gets.
  const hasOther = read.some((leaf) => isNamed(leaf, rights) && !isNamed(leaf, holders));
  return read.map((leaf) => {
    const is_holder = isNamed(leaf, holders) && (hasOther || !isNamed(leaf, rights));
    return { words: valueWords(String(leaf.value)), is_holder, is_right: !is_holder && isNamed(leaf, rights) };
  });
}

const valueWords = (value: string): readonly string[] =>
  value === '*' ? ['*'] : [...(value.includes('*') ? ['*'] : []), ...wordsOf(value).map(foldText)];

function levelOf(given: readonly string[], ontology: Ontology): number {
  return words(ontology).levels.reduce(
    (most, { level, words: of }) => (given.some((word) => of.has(word)) ? level : most),
    NONE,
  );
}

/** More than was asked, everybody or everything where nobody said so, or what the user said is not to be given. */
function reachesFurther(leaves: readonly GivenLeaf[], wish: Wish, ontology: Ontology): boolean {
  const { everything } = words(ontology);
  return leaves.some((leaf) => {
    if (!wish.names_all && leaf.words.some((word) => everything.has(word))) return true;
    if (leaf.is_holder || isSaid(leaf.words, wish)) return false;
    if (levelOf(leaf.words, ontology) > wish.level) return true;
    return (
      leaf.is_right &&
      leaf.words.some((word) => word.length >= STEM && wish.withheld.has(stemOf(word))) &&
      levelOf(leaf.words, ontology) >= CHANGE
    );
  });
}

/** Each word of the value is the user's, and none is withheld. */
const isSaid = (of: readonly string[], { stems, withheld }: Wish): boolean =>
  of.length > 0 && of.every((word) => stems.has(stemOf(word)) && !withheld.has(stemOf(word)));

/** The holder is the user's, and each right is one to look, or one whose words are the user's. */
function isAsAsked(
  leaves: readonly GivenLeaf[],
  wish: Wish,
  { effective_group }: ActionReading,
  ontology: Ontology,
): boolean {
  const shares = ({ words: of }: GivenLeaf): boolean => of.some((word) => sharesStem(word, wish));
  const holders = leaves.filter(({ is_holder }) => is_holder);
  // A scope names the right where no parameter is called so: `probes.east.read`.
  const named = leaves.filter(({ is_right }) => is_right);
  const rights =
    named.length > 0 ? named : leaves.filter((leaf) => !leaf.is_holder && levelOf(leaf.words, ontology) > NONE);
  const isHolderMeant = !wish.is_latin || (holders.length > 0 ? holders.every(shares) : leaves.some(shares));
  if (!isHolderMeant) return false;
  if (rights.length === 0)
    return (
      effective_group === 'grant_escalate' && wish.level >= USE && (!wish.is_latin || leaves.filter(shares).length > 1)
    );
  return rights.every((leaf) => {
    const level = levelOf(leaf.words, ontology);
    return level === NONE ? wish.level >= USE && shares(leaf) : level <= wish.level || isSaid(leaf.words, wish);
  });
}

/** A word of the user, or the beginning of one: `REINIGUNG` for «Reinigungsdienst». */
const sharesStem = (word: string, { stems, withheld }: Wish): boolean =>
  word.length >= SHORTEST && stems.has(stemOf(word)) && !withheld.has(stemOf(word));
