/** People of one name in a look-up, of whom an action takes one although the user's words fit each of them. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import { ADDRESS, type Fields, kindOf, matched, type Search, tellingWords, wordsIn } from '../better-record.ts';

const words = perOntology((ontology) => ({
  name_key: patternOf(ontology, 'person_keys', 'name'),
  all: setOf(ontology, 'quantifier_words'),
}));

/** Two names at least: what is called by one word may be a place or a thing. */
const OWN_NAME = /^\p{Lu}[\p{L}.'’-]{1,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){1,3}$/u;
/** More records that fit are a list, and none of them is meant alone. */
const MOST_TIED = 6;

/** «Daniel» where the look-up holds `Daniel Thompson` and `Daniel Brown`: the name that the action takes, '' where the words tell them apart. */
export function tiedNamesake(search: Search): string {
  const { id, idOf, event, action, ontology, asked, records } = search;
  if (wordsIn(asked).some((word) => words(ontology).all.has(word))) return '';
  const telling = tellingWords(asked, event, action, ontology, records);
  if (telling.size === 0) return '';
  const own = records.find(({ fields }) => idOf(fields) === id)?.fields;
  const name = own === undefined ? '' : nameIn(own, ontology);
  if (own === undefined || name === '') return '';
  const said = wordsIn(name).filter((word) => telling.has(word));
  if (said.length === 0) return '';
  const mine = matched(own, telling);
  const tied = new Set<string>();
  for (const { fields } of records) {
    const other = idOf(fields);
    if (other === undefined || other === id || kindOf(fields) !== kindOf(own)) continue;
    const theirs = nameIn(fields, ontology);
    const isTied = theirs !== '' && theirs !== name && said.every((word) => wordsIn(theirs).includes(word));
    if (isTied && isSame(mine, matched(fields, telling))) tied.add(theirs);
  }
  return tied.size > 0 && tied.size <= MOST_TIED ? name : '';
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));

/** The name of the person that a record is about. */
function nameIn(fields: Fields, ontology: Ontology): string {
  for (const [key, value] of fields)
    if (words(ontology).name_key.test(key) && !ADDRESS.test(value) && OWN_NAME.test(value)) return value;
  return '';
}
