/**
 * A record that the action takes although its own field denies what the user asks for: an aliquot with `expired: false` where the user
 * wants the expired ones discarded, an invoice with `status: paid` among the overdue ones. Another record of the same list, in which the
 * field says so, shows that the field tells them apart.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { type ResultRecord, recordsOf } from '../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { foldText, wordsIn } from '../../words/fold.ts';
import { GROUP_MASK, STOPWORD } from '../../words/grammar/grammar.ts';
import { hashWord } from '../../words/lexer.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  exclusions: setOf(ontology, 'exclusion_words'),
  negating: setOf(ontology, 'negating_words'),
  id_keys: setOf(ontology, 'id_key_words'),
  kinds: setOf(ontology, 'telling_state_fields'),
  prefixes: setOf(ontology, 'flag_name_words'),
}));

const MAX_REQUEST = 2_048;
const MAX_TAKEN = 60;
const MAX_RECORDS = 400;
const LONGEST_STATE = 24;
const SHORTEST_STATE = 4;
/** Words between a negation and what it turns around. */
const REACH = 2;
/** A number of one digit stands in too many records. */
const ID = /^(?=[^\s]{0,64}[\p{L}\p{N}])[^\s]{2,64}$/u;

/** What the field of a record must say, or must not say. */
interface Wish {
  /** Of the request. */
  word: string;
  is_denied: boolean;
}

/** Field of the record that denies it, as `id expired: false`; '' where each one fits. */
export function unfitRecord(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  if (!text.has_request || text.untrusted.length === 0) return '';
  const request = foldedUserWords(text);
  const taken = takenIds(event, request, ontology);
  if (taken.size === 0) return '';
  const records = recordsOf(text).slice(-MAX_RECORDS);
  if (records.length < 2) return '';
  const { exclusions } = words(ontology);
  const said = wordsIn(request.slice(-MAX_REQUEST));
  if (requestOf(text, ontology).is_open_ended || said.some((word) => exclusions.has(word))) return '';
  const own = records.filter((record) => idOf(record, taken, ontology) !== '');
  if (own.length === 0) return '';
  const wishes = wishesIn(said, ontology);
  for (const record of own)
    for (const [key, value] of record.fields) {
      const state = foldText(value).trim();
      const isUnfit =
        flagDenies(key, state, wishes, event, records, ontology) || stateDenies(key, state, wishes, records, ontology);
      if (isUnfit) return `${idOf(record, taken, ontology)} ${key}: ${value}`;
    }
  return '';
}

/** The values by which the action takes records: ids and names, each alone or in a list. Those that the user gives are meant. */
function takenIds(event: AgentEvent, request: string, ontology: Ontology): ReadonlySet<string> {
  const { id_keys } = words(ontology);
  const found = parametersOf(event).leaves.flatMap(({ name, value, is_element }) => {
    const id = String(value);
    const isId = is_element || id_keys.has(name.slice(name.lastIndexOf('_') + 1)) || /\d/.test(id);
    return typeof value !== 'boolean' && isId && ID.test(id) && !standsAlone(foldText(id), request) ? [id] : [];
  });
  return new Set(found.slice(0, MAX_TAKEN));
}

/** The id or name of the record that is among the taken ones; '' if none is. */
function idOf({ fields }: ResultRecord, taken: ReadonlySet<string>, ontology: Ontology): string {
  const { id_keys } = words(ontology);
  for (const [key, value] of fields) {
    const isId = id_keys.has(key.slice(key.lastIndexOf('_') + 1)) || key === 'name' || /\d/.test(value);
    if (isId && taken.has(value)) return value;
  }
  return '';
}

/** The words of the request that may be a state, each with whether it is turned around. */
function wishesIn(said: readonly string[], ontology: Ontology): ReadonlyMap<string, Wish> {
  const { negating } = words(ontology);
  const wishes = new Map<string, Wish>();
  for (const [i, word] of said.entries()) {
    if (word.length < SHORTEST_STATE) continue;
    const is_denied = said.slice(Math.max(0, i - REACH), i).some((one) => negating.has(one));
    wishes.set(singular(word), { word, is_denied });
  }
  return wishes;
}

/** `expired: false` where the user says «expired», or where a parameter lists them as `expired`. */
function flagDenies(
  key: string,
  state: string,
  wishes: ReadonlyMap<string, Wish>,
  event: AgentEvent,
  records: readonly ResultRecord[],
  ontology: Ontology,
): boolean {
  const { on, off, prefixes } = words(ontology);
  if (!on.has(state) && !off.has(state)) return false;
  const of_key = wordsOf(key).filter((word) => !prefixes.has(word));
  const [word] = of_key;
  if (word === undefined || of_key.length > 1) return false;
  const isListed = parametersOf(event).leaves.some(({ name, is_element }) => is_element && name === word);
  const wish = wishes.get(singular(word)) ?? (isListed ? { word, is_denied: false } : undefined);
  if (wish === undefined || on.has(state) !== wish.is_denied) return false;
  const opposite = wish.is_denied ? off : on;
  return records.some(({ fields }) => opposite.has(foldText(fields.get(key) ?? '').trim()));
}

/** `status: paid` where the user says «overdue» and another record has this status. */
function stateDenies(
  key: string,
  state: string,
  wishes: ReadonlyMap<string, Wish>,
  records: readonly ResultRecord[],
  ontology: Ontology,
): boolean {
  const { kinds } = words(ontology);
  if (!kinds.has(key.slice(key.lastIndexOf('_') + 1)) || state.length > LONGEST_STATE || state === '') return false;
  const of_state = wordsIn(state);
  if (of_state.some((word) => wishes.has(singular(word)))) return false;
  const vocabulary = vocabularyOf(ontology);
  return records.some((other) => {
    const theirs = wordsIn(other.fields.get(key) ?? '');
    const [word] = theirs;
    if (word === undefined || theirs.length > 1 || theirs.join(' ') === state) return false;
    // «Cancel the open orders»: a verb may be what is to be done, and no state.
    const isGrammar = (vocabulary.words.kinds(hashWord(word)) & (STOPWORD | GROUP_MASK)) !== 0;
    return !isGrammar && wishes.get(singular(word))?.is_denied === false;
  });
}
