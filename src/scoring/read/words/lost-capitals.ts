/**
 * Names whose capitals were lost: an action is told in lower case, so `StopLogging` arrives as `stoplogging`. Such a name is parted
 * into words that the ontology knows, a verb first.
 */
import { singular, wordsOf } from '../../../lang/names.ts';
import { Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../../../ontology/words.ts';
import { verbLookup } from './verb-table.ts';

const LONGEST_NAME = 48;
const SHORTEST_NAME = 6;
const SHORTEST_WORD = 3;
const LONGEST_WORD = 20;
/** More words than a name of an operation has are a chance find. */
const MOST_WORDS = 6;

interface Known {
  verbs: ReadonlySet<string>;
  words: ReadonlySet<string>;
  /** Words of one or two letters that count. */
  short: ReadonlySet<string>;
  parted: Recall<string>;
}

const known = perOntology((ontology): Known => {
  const lookup = verbLookup(ontology);
  const verbs = new Set([
    ...lookup.native,
    ...lookup.further.keys(),
    ...wordsIn(tableOf(ontology, 'cloud_verbs').values()),
  ]);
  const particles = setOf(ontology, 'verb_particles');
  const all = [
    ...verbs,
    ...lookup.nouns,
    ...lookup.guards.keys(),
    ...lookup.guard_settings,
    ...lookup.watchers,
    ...lookup.acts.keys(),
    ...lookup.moved_money,
    ...[...ontology.domains.keys()].flatMap((name) => wordsOf(name)),
    ...wordsIn(tableOf(ontology, 'cloud_objects').values()),
    ...wordsIn([listOf(ontology, 'words_of_operations')]),
  ];
  // «Shutoff», «setup» and «login» are words of their own.
  const words = new Set(all.filter((word) => !particles.has(word)));
  return { verbs, words, short: setOf(ontology, 'short_words_of_operations'), parted: new Recall() };
});

const wordsIn = (rows: Iterable<readonly string[]>): string[] =>
  [...rows].flat().flatMap((row) => row.split(/[\s_-]+/));

/** `attachuserpolicy` → `attach_user_policy`; a name that is a word, or that these words do not make up, stays as it is. */
export function withWordsParted(name: string, ontology: Ontology): string {
  if (name.length < SHORTEST_NAME || name.length > LONGEST_NAME) return name;
  const words = known(ontology);
  return words.parted.get(name, () => name.replace(/[a-z]{6,}/g, (piece) => part(piece, words)));
}

/** The parting into the fewest words. */
function part(name: string, { verbs, words, short }: Known): string {
  const isWord = (word: string): boolean =>
    word.length < SHORTEST_WORD ? short.has(word) : words.has(word) || words.has(singular(word));
  if (isWord(name)) return name;
  const best: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= name.length; end += 1) {
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start += 1) {
      const before = best[start];
      const word = name.slice(start, end);
      if (before === undefined || (start === 0 ? !verbs.has(word) : !isWord(word))) continue;
      if (before.length + 1 < (best[end]?.length ?? MOST_WORDS + 1)) best[end] = [...before, word];
    }
  }
  const found = best[name.length];
  return found === undefined || found.length < 2 ? name : found.join('_');
}
