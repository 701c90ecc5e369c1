/** A value that an action changes by orders of magnitude, by what its own parameters say: `{ "previous": 950, "daily_budget": 950000 }`. */
import type { Leaf } from '../../../events/parameters.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  before: setOf(ontology, 'words_of_old_values'),
  after: setOf(ontology, 'words_of_new_values'),
  careful: setOf(ontology, 'values_set_with_care'),
}));

/** From this factor on, up or down, no step of daily work explains the change. */
const JUMP = 50;
const MAX_LEAVES = 64;

interface Named {
  /** Of what it is the value, without what says that it is the old or the new one. */
  of: string;
  parent: string;
  path: string;
  number: number;
  when: 'before' | 'after' | '';
}

/**
 * Path of the new value; '' where none jumps. Only numbers count that people set with care: money, doses, limits of machines.
 *
 * @param name_words of the action and its tool
 */
export function jumpedValue(leaves: readonly Leaf[], name_words: readonly string[], ontology: Ontology): string {
  const { careful } = words(ontology);
  // Names cost more than values, and few actions have two numbers.
  if (leaves.length > MAX_LEAVES || leaves.filter(isNumeric).length < 2) return '';
  const numbers = leaves.flatMap((leaf) => namedNumber(leaf, ontology));
  const isCareful = ({ path }: Named): boolean =>
    [...wordsOf(path.replace(/\W+/g, '_')), ...name_words].some((word) => careful.has(word));
  for (const old of numbers) {
    if (old.when !== 'before' || old.number === 0) continue;
    const now = numbers.find(
      (one) =>
        one.when !== 'before' && one.parent === old.parent && (one.of === old.of || isOnlyOther(one, old, numbers)),
    );
    if (now === undefined || now.number === 0 || !(isCareful(now) || isCareful(old))) continue;
    const factor = Math.abs(now.number / old.number);
    if (factor >= JUMP || factor <= 1 / JUMP) return now.path;
  }
  return '';
}

/** `previous` alone is the old value of the one other number beside it. */
const isOnlyOther = (one: Named, old: Named, all: readonly Named[]): boolean =>
  old.of === '' && all.every((each) => each === one || each === old || each.parent !== old.parent);

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const isNumeric = ({ value }: Leaf): boolean =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));

const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;

function namedNumber(leaf: Leaf, ontology: Ontology): Named[] {
  if (!isNumeric(leaf)) return [];
  const { path, value } = leaf;
  const { before, after } = words(ontology);
  const own = wordsOf(lastOf(path));
  const when = own.some((word) => before.has(word)) ? 'before' : own.some((word) => after.has(word)) ? 'after' : '';
  const of = own.filter((word) => !before.has(word) && !after.has(word)).join(' ');
  return [{ of, parent: path.slice(0, -lastOf(path).length), path, number: Number(value), when }];
}
