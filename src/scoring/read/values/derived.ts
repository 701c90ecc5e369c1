/** Values that the user gave in parts or in another form: a date in words, a file without its ending, a name as an id. */
import { standsAlone } from '../../../lang/stands-alone.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf } from '../../../ontology/words.ts';
import type { Corpus, Places } from '../conversation/corpus.ts';
import { STOPWORD } from '../words/grammar/grammar.ts';
import { hashWord, lex } from '../words/lexer.ts';
import { hostOf, type Value } from '../words/normalise.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { registrable } from './hosts.ts';
import { locateHost } from './locate.ts';

export function isDerived(corpus: Corpus, vocabulary: Vocabulary, value: Value, isOutside: boolean): boolean {
  const { user } = corpus;
  if (user.is_empty) return false;
  switch (value.kind) {
    case 'path':
      return isDerivedPath(user, value, isOutside);
    case 'identifier':
      return isDerivedDate(user, value.text, vocabulary) || isDerivedName(user, value.text, vocabulary);
    case 'url':
      // An address below a host that the user named, and that no text from outside contains.
      return !isOutside && locateHost(corpus, 'user', value).length > 0;
    case 'email':
      return isComposedAddress(corpus, value);
    case 'host':
      return isSubdomain(corpus, value, vocabulary);
    default:
      return false;
  }
}

function isSubdomain(corpus: Corpus, value: Value, { ontology }: Vocabulary): boolean {
  const host = hostOf(value.normal);
  const domain = registrable(host, ontology);
  return domain !== host && locateHost(corpus, 'user', { ...value, normal: domain }).length > 0;
}

/** Of the name before the `@`, outside any other address. */
const BORDERS = { before: /[\w.@+-]/, behind: /^[\w@+-]|^\.\w/ };

/** `staff-bergen@nordhavn.no` for «staff-bergen» and «nordhavn.no»: the user gave both parts. */
function isComposedAddress(corpus: Corpus, value: Value): boolean {
  const [local = '', domain = ''] = value.normal.split('@');
  if (locateHost(corpus, 'user', { ...value, normal: domain }).length === 0) return false;
  return corpus.user.stretches.some(({ segment }) => standsAlone(local, segment.text.toLowerCase(), BORDERS));
}

/** The file's own name without ending stands with the user, or (for a path that nobody else gave) its folder does. */
function isDerivedPath(user: Places, value: Value, isOutside: boolean): boolean {
  const parts = value.normal.split('/').filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  if (hasAllWords(user, name.replace(/(?<=.)\.[a-z0-9]{1,5}$/, ''))) return true;
  return !isOutside && parts.slice(0, -1).some((part) => hasAllWords(user, part));
}

/** `ImportantProject`, `important-project` for «Important Project». */
function isDerivedName(user: Places, text: string, vocabulary: Vocabulary): boolean {
  const split = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  const words = lex(split);
  if (words.count < 2) return false;
  for (let i = 0; i < words.count; i++) if (!user.has(words.hash[i]!)) return false;
  let telling = 0;
  for (let i = 0; i < words.count; i++) {
    if (words.end[i]! - words.start[i]! >= 3 && (vocabulary.words.kinds(words.hash[i]!) & STOPWORD) === 0) telling++;
  }
  return telling > 0;
}

function hasAllWords(user: Places, text: string): boolean {
  const { count, hash, longest } = lex(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
  if (count === 0 || longest < 3) return false;
  for (let i = 0; i < count; i++) if (!user.has(hash[i]!)) return false;
  return true;
}

const monthNames = perOntology((ontology) => listOf(ontology, 'month_names'));

/** Day and month of an ISO date, said in words or numbers; a time of day as `3pm`. */
function isDerivedDate(user: Places, text: string, { ontology }: Vocabulary): boolean {
  const date = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}).{0,12})?$/.exec(text);
  if (date === null) return false;
  const day = Number(date[3]);
  const month = monthNames(ontology)[Number(date[2]) - 1];
  if (month === undefined) return false;
  const days = [`${day}`, date[3]!, `${day}th`, `${day}st`, `${day}nd`, `${day}rd`];
  const months = [month, month.slice(0, 3), date[2]!, `${Number(date[2])}`];
  const has = (word: string): boolean => user.has(hashWord(word));
  return days.some(has) && months.some(has);
}
