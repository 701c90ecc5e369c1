/**
 * A right, a thing or an office that goes to somebody whom the user does not name: `signatory: Karl Moser` where he says «Petra Lenz». Only
 * names count: an id may be the named person's.
 */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternsOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords, perRequest } from '../../../conversation/user-words.ts';
import { foldText, letterWordsIn } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  holders: setOf(ontology, 'holder_names'),
  former: setOf(ontology, 'former_holder_names'),
  named: [...patternsOf(ontology, 'named_holders').values()].map(
    ({ source, flags }) => new RegExp(source, `${flags}g`),
  ),
}));

const MAX_REQUEST = 2_048;
const MAX_LEAVES = 60;
const MAX_NAMES = 8;
const LONGEST_NAME = 60;
const SHORTEST = 3;
/** Letters in which two forms of a name agree. */
const STEM = 4;
/** A name has letters alone: `U-77` and `k.moser@firm.example` may be anybody's. */
const NAME = /^\p{L}[\p{L}'’.-]*(?: [\p{L}'’.-]+){0,4}$/u;

/** Names of people and bodies, as the user writes them. */
const namedHolders = perRequest((said, ontology): readonly string[] =>
  words(ontology).named.flatMap((form) =>
    [...said.slice(0, MAX_REQUEST).matchAll(form)].slice(0, MAX_NAMES).flatMap(([, name]) => name ?? []),
  ),
);

export function unnamedHolders(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const { holders, former } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const used = leaves.filter(({ name, value }) => {
    const of_name = wordsOf(name).map(singular);
    return (
      typeof value === 'string' &&
      value.length <= LONGEST_NAME &&
      NAME.test(value) &&
      of_name.some((word) => holders.has(word)) &&
      !of_name.some((word) => former.has(word))
    );
  });
  if (used.length === 0) return [];
  const named = namedHolders(text);
  const own = letterWordsIn(foldedUserWords(text)).filter((word) => word.length >= SHORTEST);
  const isHeard = (name: string): boolean =>
    letterWordsIn(foldText(name)).some((word) => word.length >= SHORTEST && own.some((said) => isForm(word, said)));
  const values = leaves.map(({ value }) => foldText(String(value)));
  const asked = named.find((name) => {
    const parts = letterWordsIn(foldText(name)).filter((word) => word.length >= SHORTEST);
    return parts.length > 0 && !values.some((value) => parts.some((part) => value.includes(part.slice(0, STEM))));
  });
  const other = used.find(({ value }) => !isHeard(String(value)));
  if (asked === undefined || other === undefined) return [];
  return [{ parameter: other.path, asked, used: String(other.value), kind: 'name', factor: 1, is_less: false }];
}

const isForm = (a: string, b: string): boolean => a.slice(0, STEM) === b.slice(0, STEM);
