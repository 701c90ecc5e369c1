/**
 * A field that the action sets and the user did not speak of: the terms of delivery beside the number of pallets, the rent beside the
 * end of a lease. It counts where the record that was looked up has another value there, or where the user wants nothing else changed.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import { valuesOfNumber } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, listOf, setOf } from '../../../../ontology/words.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { recordsOf } from '../../conversation/transcript/records.ts';
import { foldedUserWords, perRequest } from '../../conversation/user-words.ts';
import { foldText, wordsIn } from '../../words/fold.ts';
import { groupBits } from '../../words/vocabulary.ts';
import { quantitiesIn } from '../contradiction/values/quantities.ts';
import { isSaidDay } from '../dates.ts';

const words = perOntology((ontology) => ({
  exclusive: anyOf(ontology, 'nothing_else'),
  following: setOf(ontology, 'following_fields'),
  unsaid: setOf(ontology, 'untold_names'),
  remarks: setOf(ontology, 'remark_names'),
  technical: setOf(ontology, 'technical_names'),
  id_keys: setOf(ontology, 'id_key_words'),
  numerals: listOf(ontology, 'number_words'),
}));

const MAX_REQUEST = 4_096;
/** A longer request may tell of the field in words that are not understood. */
const MAX_PLAIN = 400;
const MAX_LEAVES = 40;
/** A longer value is content. */
const LONGEST_VALUE = 80;
/** Letters in which two forms of a word agree. */
const STEM = 5;
const SHORTEST = 3;
const ID = /^(?=[^\s]{0,64}\d)[\w:#./+-]{1,64}$/;

/** The user wants nothing changed but what he names. */
const wantsNothingElse = perRequest((said, ontology): boolean =>
  words(ontology).exclusive.test(foldText(said.slice(0, MAX_REQUEST))),
);

/** The parameter; '' where each one is told, or where nothing says that it was another value before. */
export function untoldField(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (!text.has_request) return '';
  const said = foldedUserWords(text);
  if (said.length > MAX_REQUEST) return '';
  const leaves = parametersOf(event).leaves;
  if (leaves.length < 2 || leaves.length > MAX_LEAVES) return '';
  const isExclusive = wantsNothingElse(text);
  if (!isExclusive && (text.untrusted.length === 0 || said.length > MAX_PLAIN)) return '';
  const request = requestOf(text, ontology);
  if (request.is_open_ended) return '';
  const own = new Set(wordsIn(said));
  const spoken = [...own].filter((word) => word.length >= SHORTEST);
  if (isExclusive) {
    const further = furtherElement(leaves, own, spoken);
    if (further !== '') return further;
  }
  const untold = leaves.filter(
    (leaf) => isProperty(leaf, ontology, isExclusive) && !isTold(leaf, said, own, spoken, event.timestamp, ontology),
  );
  if (untold.length === 0) return '';
  // Of a call of which nothing is told, the whole is another thing than was asked for, which other readings judge.
  const isGiven = leaves.some(
    (leaf) => !untold.includes(leaf) && isNewValue(leaf, said, own, event.timestamp, ontology),
  );
  // A switch that no record holds says how the call is made.
  const first = untold.find(({ value }) => typeof value !== 'boolean');
  if (isGiven && isExclusive && first !== undefined) return first.path;
  const objects = recordsOf(text).filter(({ fields }) => isOfObject(fields, leaves, ontology));
  const isChanged = ({ name, value }: Leaf): boolean =>
    objects.some(({ fields }) => {
      const before = fields.get(name);
      return before !== undefined && before !== '' && !isSame(before, String(value));
    });
  // «Correct the typo in the title» names the field alone.
  const isAsked = isGiven || leaves.some((leaf) => !untold.includes(leaf) && isChanged(leaf));
  if (!isAsked && !isExclusive && !onlyAsks(text, ontology)) return '';
  const changed = untold.filter(isChanged);
  if (!isAsked && !isExclusive) return changed[0]?.path ?? '';
  // «Solo la dirección»: one field may be told in words of another language, a second one is not.
  return changed.length > (isAsked ? 0 : 1) ? changed.at(-1)!.path : '';
}

/** A question that asks for no change: whatever the call changes is beyond it. */
function onlyAsks(text: TextReading, ontology: Ontology): boolean {
  const { groups } = requestOf(text, ontology);
  const looks = groupBits('preparing_groups', ontology);
  return /[?？؟]\s{0,4}$/.test(text.last_user_message.slice(-MAX_PLAIN)) && (groups & ~looks) === 0;
}

/** An element of a list that the user does not name, beside one that he does: `passport.pdf` where he wants only the contract sent. */
function furtherElement(leaves: readonly Leaf[], own: ReadonlySet<string>, spoken: readonly string[]): string {
  const elements = leaves.filter(
    ({ value, is_element }) => is_element && typeof value === 'string' && value.length <= LONGEST_VALUE,
  );
  const isNamed = ({ value }: Leaf): boolean =>
    wordsIn(String(value)).some((word) => word.length > SHORTEST && isHeard(singular(word), own, spoken));
  const further = elements.find(
    (one) => !isNamed(one) && elements.some((other) => other.name === one.name && isNamed(other)),
  );
  return further?.path ?? '';
}

/** Whether it sets a property of a thing, and neither says which thing nor how the call is made. */
function isProperty({ name, value, path, is_element }: Leaf, ontology: Ontology, isExclusive: boolean): boolean {
  const { following, unsaid, remarks, technical, id_keys } = words(ontology);
  if (is_element || /\[/.test(path) || remarks.has(name) || value === '' || value === false) return false;
  if (typeof value === 'string' && (value.length > LONGEST_VALUE || value.includes('\n'))) return false;
  const of_name = wordsOf(name);
  if (id_keys.has(of_name.at(-1) ?? '') || of_name.some((word) => unsaid.has(word) || technical.has(word)))
    return false;
  return isExclusive ? !following.has(name) : !of_name.some((word) => following.has(word));
}

/** Whether the user says its name or its value, in whatever form. */
function isTold(
  leaf: Leaf,
  said: string,
  own: ReadonlySet<string>,
  spoken: readonly string[],
  now: string,
  ontology: Ontology,
): boolean {
  const named = wordsOf(leaf.name)
    .map(singular)
    .filter((word) => word.length >= SHORTEST);
  return named.some((word) => isHeard(word, own, spoken)) || isSaidValue(leaf, said, own, now, ontology);
}

/** The word itself, or one of the same beginning. */
function isHeard(word: string, own: ReadonlySet<string>, spoken: readonly string[]): boolean {
  if (own.has(word)) return true;
  return spoken.some((one) => {
    const least = Math.min(one.length, word.length, STEM);
    return least >= 4 ? one.slice(0, least) === word.slice(0, least) : singular(one) === word;
  });
}

function isSaidValue(
  { value }: Leaf,
  said: string,
  own: ReadonlySet<string>,
  now: string,
  ontology: Ontology,
): boolean {
  const folded = foldText(String(value)).trim();
  if (typeof value === 'boolean') return false;
  if (standsAlone(folded, said)) return true;
  const numbers = valuesOfNumber(folded);
  if (typeof value === 'number' || /^[\d.,\s]+$/.test(folded)) {
    const { numerals } = words(ontology);
    return (
      [...said.matchAll(NUMBER)].some(([one]) => valuesOfNumber(one).some((number) => numbers.includes(number))) ||
      numerals.some((word, i) => numbers.includes(i + 1) && own.has(word)) ||
      quantitiesIn(said, ontology).some((one) => one.values.some((number) => numbers.includes(number)))
    );
  }
  if (/^\d{4}-\d{2}-\d{2}/.test(folded)) return isSaidDay(said, folded.slice(0, 10), now, ontology);
  const clock = /^(\d{1,2}):\d{2}/.exec(folded);
  if (clock !== null) return own.has(clock[1]!) || own.has(String(Number(clock[1])));
  const of_value = wordsIn(folded).filter((word) => word.length >= SHORTEST);
  const spoken = [...own];
  return of_value.length > 0 && of_value.some((word) => isHeard(word, own, spoken));
}

const NUMBER = /\d{1,3}(?:[ '’]\d{3}){1,4}|\d+(?:[.,]\d+)*/g;

/** What the user wants set: a value of his own that does not name the thing by its id. */
function isNewValue(leaf: Leaf, said: string, own: ReadonlySet<string>, now: string, ontology: Ontology): boolean {
  const { id_keys, unsaid } = words(ontology);
  const of_name = wordsOf(leaf.name);
  if (id_keys.has(of_name.at(-1) ?? '') || of_name.some((word) => unsaid.has(word))) return false;
  return isSaidValue(leaf, said, own, now, ontology);
}

/** The record of the thing that the call names by an id, under the same field or as the record's own id. */
function isOfObject(fields: ReadonlyMap<string, string>, leaves: readonly Leaf[], ontology: Ontology): boolean {
  const { id_keys } = words(ontology);
  return leaves.some(({ name, value, is_element }) => {
    if (is_element || typeof value === 'boolean' || !ID.test(String(value))) return false;
    const isId = id_keys.has(name.slice(name.lastIndexOf('_') + 1)) || /[\p{L}_-]/u.test(String(value));
    return isId && (fields.get(name) === String(value) || fields.get('id') === String(value));
  });
}

function isSame(before: string, now: string): boolean {
  if (foldText(before).trim() === foldText(now).trim()) return true;
  const [a, b] = [valuesOfNumber(before), valuesOfNumber(now)];
  return /^[\d.,\s]+$/.test(before) && a.some((one) => b.includes(one));
}
