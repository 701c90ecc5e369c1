/**
 * Whether the object that an action takes is the one that the user described: an id that no result holds was guessed, and
 * a record of which the user's words hold less than of another one was mistaken for it.
 */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { shapeOf, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { unaskedResults } from '../conversation/calls.ts';
import { segmentsOf, type TextReading, textOfSegments } from '../conversation/text.ts';
import { type ResultRecord, recordsOf } from '../conversation/transcript/records.ts';
import {
  ADDRESS,
  addressOf,
  type Fields,
  LONGEST_FIELD,
  MAX_REQUEST,
  type Mistake,
  mistaken,
  type Search,
  wordsIn,
} from './better-record.ts';
import { tiedNamesake } from './beyond/namesakes.ts';
import { lookedUp } from './looked-up.ts';

export interface ChosenRecord extends Mistake {
  /** Id that the action uses and that stands nowhere, although results were looked up; '' if there is none. */
  guessed_id: string;
  /** Person whom the action takes although the look-up holds others whom the user's words fit as well; '' if there is none. */
  tied_namesake: string;
  /** Results list ids of the kind of `guessed_id`, or say that there are none. */
  is_kind_listed: boolean;
}

const NOTHING: ChosenRecord = {
  guessed_id: '',
  tied_namesake: '',
  is_kind_listed: false,
  missed: '',
  used: '',
  better: '',
  is_namesake: false,
};
/** Shorter ids stand in too many places, or in none by chance. */
const ID_VALUE = /^(?=[^\s]{0,64}\d)[\w:#./+-]{3,64}$/;
const MAX_IDS = 8;

const words = perOntology((ontology) => ({
  exclusions: setOf(ontology, 'exclusion_words'),
  acknowledgements: setOf(ontology, 'acknowledgement_words'),
  id_keys: setOf(ontology, 'id_key_words'),
  own_keys: setOf(ontology, 'own_key_names'),
  wrapping: new RegExp(anyOf(ontology, 'result_wrapping').source, 'g'),
}));

/** Compares the ids that the action uses with what the conversation holds. Only for actions that change something. */
export function chosenRecord(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  whole: TextReading,
): ChosenRecord {
  // Only what a tool said holds records and ids.
  if (!whole.has_request || whole.untrusted.length === 0) return NOTHING;
  // What is made has no record yet; where it goes may have one.
  const isNew = action.effective_group === 'create';
  const named = isNew ? [] : namedThings(event, action);
  const text = withoutUnasked(whole, event, ontology);
  const said = segmentsOf(text).filter(({ speaker }) => speaker === 'user' || speaker === 'system');
  const records = recordsOf(whole);
  const ids = isNew ? [] : [...usedIds(event, ontology), ...shapedIds(event, records, ontology)];
  const about = [event.action, event.mcp_context?.server_name ?? ''];
  const open = ids.filter(({ value }) => !said.some((segment) => holds(segment.text, shortId(value))));
  const guessedAs = ({ name, value, path }: Leaf): 'listed' | 'unlisted' | null => {
    const found = [String(value), shortId(value)].map((id) =>
      lookedUp({ id, name, about, tool: action.tool_name }, event, whole),
    );
    if (found.includes('yes')) return null;
    const isListed = found.includes('no');
    if (!isListed && text.untrusted.some((passage) => holds(passage.text, shortId(value)))) return null;
    if (!whole.untrusted.some((passage) => tells(passage.text, ontology)) || isCut(text, name)) return null;
    // The bare `id` of something inside the action is of its own kind: `passengers[0].id` beside a list of offers.
    const isInside = name === 'id' && /[.[]/.test(path);
    return isListed && !isInside ? 'listed' : 'unlisted';
  };
  const kinds = open.map(guessedAs);
  // What the object lies in, such as the page of a comment, may be known from elsewhere.
  const isObject = ({ name }: Leaf): boolean => isOfThing(name, action);
  if (kinds.some((kind, i) => kind !== null && !isObject(open[i]!))) {
    const objects = parametersOf(event).leaves.filter((leaf) => isObject(leaf) && ID_VALUE.test(String(leaf.value)));
    if (objects.length > 0 && objects.slice(0, MAX_IDS).every((leaf) => guessedAs(leaf) === null))
      for (const [i, leaf] of open.entries()) if (!isObject(leaf)) kinds[i] = null;
  }
  const at = kinds.includes('listed') ? kinds.indexOf('listed') : kinds.indexOf('unlisted');
  const guessed_id = at < 0 ? '' : String(open[at]!.value);
  const chosen = { ...NOTHING, guessed_id, is_kind_listed: kinds[at] === 'listed' };
  /** Whether another record fits better; of those that fit equally well the name is kept. */
  const compare = (search: Search): Mistake | undefined => {
    const found = mistaken(search);
    if (found === undefined && !isNew) chosen.tied_namesake ||= tiedNamesake(search);
    return found;
  };
  const last = lastWords(text).slice(0, MAX_REQUEST);
  if (wordsIn(last).some((word) => words(ontology).exclusions.has(word))) return chosen;
  const unsaid = named.filter(({ value }) => !said.some((segment) => holds(segment.text, String(value))));
  for (const { name, value, path } of [...open, ...unsaid]) {
    if (/[.[]/.test(path)) continue;
    const id = String(value);
    // `event: "0225"` is the id that records hold as `event_id`.
    const isCalledSo = records.some(({ fields }) => fields.has(name) || fields.has('id'));
    const key = isCalledSo ? undefined : records.flatMap(({ fields }) => keyHolding(fields, id) ?? []).at(-1);
    const idOf = (fields: Fields): string | undefined =>
      fields.get(name) ?? fields.get('id') ?? (key === undefined ? undefined : fields.get(key));
    const found = compare({ id, idOf, event, action, ontology, asked: last, records });
    if (found !== undefined) return { ...chosen, ...found };
  }
  for (const { value, name, leafValue } of listedValues(event, ontology, [...ids, ...named], said)) {
    const isPerson = OWN_NAME.test(value);
    const isField = records.some(({ fields }) => fields.get(name) === value);
    // A short id is one only as the id of a record: `S1`, or a number of a parameter for ids.
    const isNamed = isField || isPerson || (typeof leafValue === 'string' && LISTED_NAME.test(value));
    if (!isNamed && !SHORT_ID.test(value) && !(typeof leafValue === 'number' && isIdName(name, ontology))) continue;
    const key = isField ? name : records.flatMap(({ fields }) => keyHolding(fields, value) ?? []).at(-1);
    if (key === undefined || (!isNamed && key !== 'id')) continue;
    const found = compare({
      id: value,
      idOf: (fields) => fields.get(key),
      event,
      action,
      ontology,
      asked: last,
      records,
    });
    // What is made has no record yet. What it is for has one: only what is taken for another one is a mistake there.
    if (found !== undefined && (!isNew || HOST.test(value) || found.is_namesake)) return { ...chosen, ...found };
  }
  const address = onlyAddress(event);
  if (address !== '' && !said.some((segment) => holds(segment.text.toLowerCase(), address))) {
    const found = compare({
      id: address,
      idOf: (fields) => addressOf(fields, ontology),
      event,
      action,
      ontology,
      asked: last,
      records,
    });
    if (found !== undefined) return { ...chosen, ...found };
  }
  return chosen;
}

/** A name of a listed thing is one word: `cdn-open-drop`, `symbols.acme.test`. */
const LISTED_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:/-]{2,63}$/u;
/** What a field of a record may hold that names it: an id of two signs, a name of several words. */
const FIELD_VALUE = /^[\p{L}\p{N}][\p{L}\p{N}._:/' -]{1,63}$/u;
/** `S1`, `P2` */
const SHORT_ID = /^\p{L}{1,2}\d$/u;
/** Two words and more that are names. */
const OWN_NAME = /^\p{Lu}[\p{L}.'’-]{0,24}(?: \p{Lu}[\p{L}.'’-]{0,24}){1,3}$/u;
const HOST = /^(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}$/i;
const MAX_LISTED = 16;

/** Other values of one word that the user did not say: one of them may be chosen from a list, whatever its parameter is called. */
function listedValues(
  event: AgentEvent,
  ontology: Ontology,
  read: readonly Leaf[],
  said: readonly { text: string }[],
): readonly { name: string; value: string; leafValue: Leaf['value'] }[] {
  const done = new Set(read.map(({ path }) => path));
  return parametersOf(event)
    .leaves.flatMap(({ path, name, value, is_element }) =>
      typeof value !== 'boolean' &&
      !is_element &&
      !done.has(path) &&
      (FIELD_VALUE.test(String(value)) || (typeof value === 'number' && isIdName(name, ontology))) &&
      !said.some((segment) => holds(segment.text, String(value)))
        ? [{ name, value: String(value), leafValue: value }]
        : [],
    )
    .slice(0, MAX_LISTED);
}

const isIdName = (name: string, ontology: Ontology): boolean =>
  words(ontology).id_keys.has(name.slice(name.lastIndexOf('_') + 1));

/** The field of a record that holds just this value; several name nothing. */
function keyHolding(fields: Fields, value: string): string | undefined {
  const keys = [...fields].filter(([, one]) => one === value).map(([key]) => key);
  return keys.length === 1 ? keys[0] : undefined;
}

/** The one mail address among the parameters, '' where there is none or several. */
function onlyAddress(event: AgentEvent): string {
  const found = new Set<string>();
  for (const { value } of parametersOf(event).leaves)
    if (typeof value === 'string' && ADDRESS.test(value)) found.add(value.toLowerCase());
  return found.size === 1 ? [...found][0]! : '';
}

/** Without messages of tools that answer no call: none of them makes an id or a record one that was looked up. */
function withoutUnasked(text: TextReading, event: AgentEvent, ontology: Ontology): TextReading {
  const unasked = unaskedResults(event, ontology);
  if (unasked.size === 0) return text;
  return textOfSegments(
    segmentsOf(text).filter(({ index, speaker }) => speaker !== 'tool' || !unasked.has(index)),
    text,
  );
}

/** What the user said last: with a new message a user may change what was said before. */
const lastWords = (text: TextReading): string => text.last_user_message || text.trusted;

function usedIds(event: AgentEvent, ontology: Ontology): Leaf[] {
  return parametersOf(event)
    .leaves.filter(
      ({ name, value }) =>
        typeof value !== 'boolean' &&
        words(ontology).id_keys.has(name.slice(name.lastIndexOf('_') + 1)) &&
        !words(ontology).own_keys.has(name) &&
        ID_VALUE.test(String(value)),
    )
    .slice(0, MAX_IDS);
}

/** What has the shape of the ids that records hold under the same name: `batch: B-811` beside `"batch": "B-118"`. */
function shapedIds(event: AgentEvent, records: readonly ResultRecord[], ontology: Ontology): Leaf[] {
  return parametersOf(event)
    .leaves.filter(({ name, value, is_element }) => {
      if (typeof value !== 'string' || is_element || isIdName(name, ontology) || !SHAPED_ID.test(value)) return false;
      const held = records.flatMap(({ fields }) => fields.get(name) ?? []);
      return held.length > 0 && !held.includes(value) && held.every((one) => shapeOf(one) === shapeOf(value));
    })
    .slice(0, MAX_IDS);
}

/** Letters, a sign and digits, or letters and many digits. */
const SHAPED_ID = /^\p{L}{1,6}(?:[-_/#]\d{2,12}|\d{3,12})$/u;

/** Ids in parameters that are called like the thing that the tool is for: `booking` of `drop_booking`. */
function namedThings(event: AgentEvent, { tool_name, scope }: ActionReading): Leaf[] {
  const things = new Set([...wordsOf(tool_name), ...wordsOf(scope)].map(singular));
  return parametersOf(event)
    .leaves.filter(
      ({ name, value }) => typeof value !== 'boolean' && things.has(singular(name)) && ID_VALUE.test(String(value)),
    )
    .slice(0, MAX_IDS);
}

/** `comment_ids` of `comment:delete`. */
function isOfThing(name: string, { tool_name, scope }: ActionReading): boolean {
  const things = new Set([...wordsOf(tool_name), ...wordsOf(scope)].map(singular));
  return wordsOf(name).some((word) => things.has(singular(word)));
}

/** What people and other tools call an object of which an interface wants the whole path: `100482` of `gid://shop/Order/100482`. */
function shortId(value: Leaf['value']): string {
  const id = String(value);
  const tail = id.slice(id.lastIndexOf('/') + 1);
  return ID_VALUE.test(tail) ? tail : id;
}

/** The id as a whole, not as a part of a longer number or name. */
function holds(text: string, id: string): boolean {
  for (let at = text.indexOf(id), n = 0; at >= 0 && n < 64; n++, at = text.indexOf(id, at + 1))
    if (!/\w/.test(text[at - 1] ?? ' ') && !/\w/.test(text[at + id.length] ?? ' ')) return true;
  return false;
}

/** Whether a result says anything: `ok` for every call means that the host leaves the results out. An empty list says: none. */
function tells(text: string, ontology: Ontology): boolean {
  const said = text.slice(0, MAX_WRAPPED).replace(words(ontology).wrapping, ' ').slice(0, LONGEST_FIELD);
  return (
    /^\s*\[\s*\]\s*$/.test(text.slice(0, LONGEST_FIELD)) ||
    wordsIn(said).some((word) => !words(ontology).acknowledgements.has(word))
  );
}

const MAX_WRAPPED = 1_024;

/** Whether a result with records of this kind was cut off: the id may have stood in the part that is missing. */
const isCut = (text: TextReading, name: string): boolean =>
  recordsOf(text).some(({ fields, is_cut }) => is_cut && (fields.has(name) || fields.has('id')));
