/**
 * A right for somebody else, or on something else: the user said «give b-novotna editor on timetable-core», and the action gives it to
 * `mallory`, or on `payroll-core`. Names only, which the user writes as they are; an id with digits may come from a look-up.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import type { Leaf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import type { TextReading } from '../../../conversation/text.ts';
import type { Argument } from '../../../values/argument.ts';
import { bare, letterWordsIn } from '../../../words/fold.ts';
import { givenRight, isSaidByUser, sentenceOfRight, spelt } from '../../asked/named-right.ts';
import type { Contradiction } from '../contradicted.ts';

/** `timetable-core`, `b.novotna`, `dana@acme.example`: a name as programs write it. */
const JOINED = /[\p{L}\p{N}][._@/-]{1,3}[\p{L}\p{N}]/u;
const STARTS = /^\p{L}/u;
const MOST = 16;
const identifiersIn = (sentence: string): readonly string[] =>
  sentence
    .split(/[\s,;:!?"'`«»“”()]+/)
    .map((piece) => piece.replace(/\.$/, ''))
    .filter((piece) => STARTS.test(piece) && JOINED.test(piece))
    .slice(0, MOST);
/** Letters of the part that two forms of one person's name share. */
const SHARED = 4;

export function otherGrantees(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): readonly Contradiction[] {
  const { rights, others } = givenRight(event, ontology);
  if (rights.length === 0 || others.length < 2) return [];
  const sentence = rights.map((right) => sentenceOfRight(right, others, ontology, text)).find(Boolean);
  if (sentence === undefined) return [];
  const named = identifiersIn(sentence);
  const principals = new Set(args.filter(({ role }) => role === 'principal').map(({ path }) => path));
  const whom = others.filter(({ path }) => principals.has(path));
  const what = others.filter(({ path }) => !principals.has(path));
  return [
    ...another(whom, what, named, text, (used) => sharesPart(used, sentence)),
    ...another(what, whom, named, text, () => false),
  ];
}

/** The first of `used` that is none of the user's names, where none of them is: a parameter beside a named one contradicts nothing. */
function another(
  used: readonly Leaf[],
  rest: readonly Leaf[],
  named: readonly string[],
  text: TextReading,
  isForm: (name: string) => boolean,
): Contradiction[] {
  if (used.length === 0 || used.some((leaf) => isSaidByUser(leaf, text))) return [];
  const nameOf = (leaf: Leaf): string => spelt(leaf, text.ontology);
  // Of two names one is meant here, whatever else repeats them both.
  const asked =
    named.find((name) => !rest.some((leaf) => nameOf(leaf) === name)) ?? (named.length > 1 ? named[0] : undefined);
  const other = used
    .map((leaf) => ({ leaf, name: nameOf(leaf) }))
    .find(({ name }) => !/\d/.test(name) && !isPartOf(name, named) && !isForm(name))?.leaf;
  return asked === undefined || other === undefined ? [] : [contradictionOf(other, asked)];
}

/** `projects/timetable-core` for `timetable-core`. */
const isPartOf = (used: string, named: readonly string[]): boolean =>
  named.some((name) => bare(used).includes(bare(name)) || bare(name).includes(bare(used)));

/** `barbora.novotna` for «Bára Novotná». */
function sharesPart(used: string, sentence: string): boolean {
  const local = used.split('@')[0]!;
  const said = new Set(letterWordsIn(sentence));
  return !used.includes('@') && local.split(/[^\p{L}]+/u).some((part) => part.length >= SHARED && said.has(part));
}

const contradictionOf = ({ path, value }: Leaf, asked: string): Contradiction => ({
  parameter: path,
  asked,
  used: String(value),
  kind: 'address',
  factor: 1,
  is_less: false,
});
