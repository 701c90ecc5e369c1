/** Somebody of a similar name: a payment to Nora Kleist where the user said Nora Klein, and a look-up shows both. */
import { nearName } from '../../../../../lang/suggest.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords, perRequest } from '../../../conversation/user-words.ts';
import type { Argument } from '../../../values/argument.ts';
import { foldText, letterWordsIn } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const reaches = perOntology((ontology) => setOf(ontology, 'person_roles'));
/** Each word with the next: «Pay Jonas Weber» holds «Pay Jonas» and «Jonas Weber». */
const FULL_NAME = /(?<![\p{L}])(?=(\p{Lu}[\p{Ll}'’-]{1,20}) (\p{Lu}[\p{Ll}'’-]{1,20})(?![\p{L}]))/gu;
const MAX_NAMES = 16;
const MAX_ARGUMENTS = 50;
/** Letters in which two spellings of one name, or two names that are mixed up, differ. */
const MOST_LETTERS = 2;
const SHORTEST = 3;
const MAX_TEXT = 262_144;

const askedPersons = perRequest((said) =>
  [...said.matchAll(FULL_NAME)]
    .slice(0, MAX_NAMES)
    .map(([, a = '', b = '']) => ({ name: `${a} ${b}`, words: [foldText(a), foldText(b)] })),
);

/** Nothing is told where the look-up does not hold the name that the user said: then the other one may be its spelling. */
export function otherPersons(
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): readonly Contradiction[] {
  if (text.untrusted.length === 0) return [];
  const roles = reaches(ontology);
  const reaching = args
    .slice(0, MAX_ARGUMENTS)
    .filter(({ role, kind, path, value }) => (roles.has(role) && kind !== 'account') || isPersonsName(path, value));
  if (reaching.length === 0) return [];
  const names = askedPersons(text);
  if (names.length === 0) return [];
  const seen = foldText(
    text.untrusted
      .map((passage) => passage.text)
      .join('\n')
      .slice(0, MAX_TEXT),
  );
  const heard = foldedUserWords(text);
  return reaching.flatMap(({ path, value }) => {
    const isMail = value.includes('@');
    const own = letterWordsIn(isMail ? value.slice(0, value.indexOf('@')) : withoutRemark(value));
    if (own.length !== 2) return [];
    const written = own.join(isMail ? '.' : ' ');
    // A name that the user said as well is the user's choice.
    if (heard.includes(own.join(' '))) return [];
    const asked = names.find(({ words }) => {
      const exact = words.join(isMail ? '.' : ' ');
      return exact !== written && words.every((word, i) => isSimilar(word, own[i]!)) && seen.includes(exact);
    });
    return asked === undefined
      ? []
      : [{ parameter: path, asked: asked.name, used: value, kind: 'address', factor: 1, is_less: false }];
  });
}

/** `recipientName`, `customer_name`, `guest.display_name`: two words with capitals, and a remark in brackets at most. */
const isPersonsName = (path: string, value: string): boolean =>
  !path.includes('#') && NAME_KEY.test(path) && PERSON.test(withoutRemark(value));
const NAME_KEY = /name$/i;
const PERSON = /^\p{Lu}[\p{Ll}'’-]{1,20} \p{Lu}[\p{Ll}'’-]{1,20}$/u;

/** «Anna Schmitt (landlord, Köln)», «Anna Schmitt, Köln». */
const withoutRemark = (value: string): string => (/^[^(,;]{0,80}/.exec(value)?.[0] ?? '').trim();

const isSimilar = (a: string, b: string): boolean =>
  a === b ||
  (a.length >= SHORTEST && b.length >= SHORTEST && a[0] === b[0] && nearName(a, [b], MOST_LETTERS) !== undefined);
