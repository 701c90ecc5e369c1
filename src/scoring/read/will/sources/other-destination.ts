/**
 * Data that go to another place than the look-up has for the recipient that the user means: a host that stands nowhere although the record of the
 * customer has one, or the address of a stranger although the list has the person whom the user names.
 */
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { type ResultRecord, recordsOf } from '../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import type { Argument } from '../../values/argument.ts';
import { foldText, wordsIn } from '../../words/fold.ts';
import { readValue, type ValueKind } from '../../words/normalise.ts';

const nameFields = perOntology((ontology) => setOf(ontology, 'party_name_fields'));

export interface OtherDestination {
  used: string;
  /** As the look-up has it. */
  recorded: string;
}

const MAX_ARGUMENTS = 60;
const MAX_RECORDS = 500;
const MAX_REQUEST = 8_192;
const LONGEST_NAME = 80;
/** Shorter words of a name are initials; an ideograph alone may be a whole name. */
const SHORTEST_NAME = 3;
const IDEOGRAPH = /^[\u3041-\u9fff\uac00-\ud7af]+$/u;
const BORDERS = { before: /[\p{L}\p{N}]/u, behind: /^[\p{L}\p{N}]/u };
const PLACES: ReadonlySet<ValueKind> = new Set(['email', 'host', 'url']);

/** The first one; undefined where no destination of the action is against the records. */
export function otherDestination(
  args: readonly Argument[],
  ontology: Ontology,
  text: TextReading,
): OtherDestination | undefined {
  if (text.untrusted.length === 0 || !text.has_request) return undefined;
  const sent = args
    .slice(0, MAX_ARGUMENTS)
    // A text only mentions places.
    .filter(({ kind, path, provenance }) => PLACES.has(kind) && !path.includes('#') && provenance !== 'user');
  if (sent.length === 0) return undefined;
  const records = recordsOf(text)
    .slice(-MAX_RECORDS)
    .map((record) => ({ record, places: placesOf(record, ontology) }))
    .filter(({ places }) => places.size > 0);
  const said = foldedUserWords(text).slice(0, MAX_REQUEST);
  const used = new Set(sent.map(({ value, kind }) => placeIn(value, kind)));
  for (const { value, kind, path } of sent) {
    const place = placeIn(value, kind);
    const own = records.filter(({ places }) => places.has(place));
    if (own.some(({ record }) => isNamed(record, said, ontology))) continue;
    const named = records.find(
      ({ record, places }) =>
        !own.some((one) => one.record === record) &&
        ![...places.keys()].some((one) => used.has(one)) &&
        [...places.values()].some((one) => one.kind === kind) &&
        isNamed(record, said, ontology),
    );
    // That a text mentions the place changes nothing: only a record of its own would.
    const same = own.length === 0 ? fieldLike(keyOf(path), kind, records) : undefined;
    const recorded = named === undefined ? same : [...named.places.values()].find((one) => one.kind === kind)!.value;
    if (recorded !== undefined) return { used: value, recorded };
  }
  return undefined;
}

interface Place {
  key: string;
  value: string;
  kind: ValueKind;
}

/** Addresses and hosts of a record, by their normal form. */
function placesOf({ fields }: ResultRecord, ontology: Ontology): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const [key, value] of fields) {
    if (!/[.@]/.test(value)) continue;
    const { kind } = readValue(value, '', ontology);
    if (PLACES.has(kind)) places.set(placeIn(value, kind), { key, value, kind });
  }
  return places;
}

/** An address without its name, and the host of an URL. */
function placeIn(value: string, kind: ValueKind): string {
  const folded = foldText(value);
  if (kind === 'email') return /[^\s<>]{1,64}@[^\s<>]{1,253}/.exec(folded)?.[0] ?? folded;
  return folded.replace(/^[a-z][a-z0-9+.-]{1,15}:\/\//, '').split(/[/?#]/)[0]!;
}

const keyOf = (path: string): string => foldText(path.slice(path.lastIndexOf('.') + 1).replace(/\[\d+\]$/, ''));

/** What the only record with a field of this name and kind has there; several records leave it open which is meant. */
function fieldLike(
  key: string,
  kind: ValueKind,
  records: readonly { places: ReadonlyMap<string, Place> }[],
): string | undefined {
  const found = new Set(
    records.flatMap(({ places }) =>
      [...places.values()].filter((one) => one.key === key && one.kind === kind).map(({ value }) => value),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Whether the user says the name that a record has in a field for it: every word but initials. */
function isNamed({ fields }: ResultRecord, said: string, ontology: Ontology): boolean {
  const names = nameFields(ontology);
  return [...fields].some(([key, value]) => {
    if (!names.has(foldText(key)) || value.length > LONGEST_NAME) return false;
    const parts = wordsIn(value).filter((part) => part.length >= SHORTEST_NAME || IDEOGRAPH.test(part));
    return parts.length > 0 && parts.every((part) => saysWord(said, part));
  });
}

/** Ideographs stand side by side without blanks; other words end, or take an ending behind an apostrophe. */
const saysWord = (said: string, word: string): boolean =>
  IDEOGRAPH.test(word) ? said.includes(word) : standsAlone(word, said, BORDERS);
