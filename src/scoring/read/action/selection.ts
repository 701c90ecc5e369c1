/** Which parameter selects what an action is applied to, and whether it leaves anything out. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf, walkOf } from '../../../events/parameters.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../lang/json.ts';
import { asciiLower, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  filters: setOf(ontology, 'filter_names'),
  filtered: setOf(ontology, 'filtered_effects'),
  operators: tableOf(ontology, 'true_operators'),
  always_true: anyOf(ontology, 'always_true'),
  ids: setOf(ontology, 'id_key_words'),
  containers: setOf(ontology, 'container_words'),
  bulk: setOf(ontology, 'bulk_words'),
}));

const LONGEST_FILTER = 256;

/**
 * Path of the first filter that excludes nothing; '' if there is none. An empty one counts only where the effect is applied to what a
 * filter selects, and no id picks something: agents fill in parameters that they do not need.
 */
export function filterOfEverything(event: AgentEvent, ontology: Ontology, effect: string): string {
  const { filters, filtered } = words(ontology);
  const isFiltered = filtered.has(effect) && !picksById(event, ontology);
  const filter = parametersOf(event).entries.find(
    ({ name, value }) => filters.has(name) && holdsAlways(value, ontology) && (isFiltered || !isEmpty(value)),
  );
  return filter?.path ?? '';
}

const isEmpty = (value: Json): boolean =>
  typeof value === 'string'
    ? /^[\s{}]*$/.test(value.slice(0, LONGEST_FILTER))
    : typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Whether a filter excludes nothing: empty, always true, or an operator such as `{ "$exists": true }` alone. */
export function holdsAlways(value: Json, ontology: Ontology): boolean {
  const { always_true } = words(ontology);
  if (typeof value === 'string')
    return (
      value.length <= LONGEST_FILTER && (value.trim() === '' || isTrueText(value, ontology) || always_true.test(value))
    );
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length === 0 : holdsForAll(value, ontology);
}

function isTrueText(text: string, ontology: Ontology): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  const value = parseJson(text);
  return isObject(value) && holdsForAll(value, ontology);
}

function holdsForAll(filter: JsonObject, ontology: Ontology): boolean {
  const { operators, filters } = words(ontology);
  const { leaves, entries } = walkOf(filter);
  if (leaves.length === 0) {
    const names = entries.map(({ key }) => asciiLower(key));
    return (
      names.every((name) => operators.has(name) || filters.has(name)) && !entries.some(({ value }) => value === null)
    );
  }
  return leaves.every(({ key, value }) => operators.get(asciiLower(key))?.includes(String(value) || 'empty') === true);
}

/** Whether a parameter picks single things by their ids. The id of a place, such as `database_id`, picks nothing in it. */
export function picksById(event: AgentEvent, ontology: Ontology): boolean {
  const { ids, containers } = words(ontology);
  return parametersOf(event).leaves.some(({ name, value }) => {
    if (value === '' || typeof value === 'boolean') return false;
    const parts = wordsOf(name);
    return ids.has(singular(parts.at(-1) ?? '')) && !parts.some((part) => containers.has(part));
  });
}

/** A tool that is made for many things at once, which is given their place alone: `delete_many` with the name of a table. */
export function takesWholePlace(
  event: AgentEvent,
  ontology: Ontology,
  effect: string,
  names: readonly string[],
): boolean {
  const { bulk, containers, filtered } = words(ontology);
  if (!filtered.has(effect) || !names.some((word) => bulk.has(word))) return false;
  const { leaves } = parametersOf(event);
  const isPlace = (name: string): boolean => wordsOf(name).some((part) => containers.has(part));
  return leaves.some(({ name }) => isPlace(name)) && leaves.every(({ name, value }) => value === '' || isPlace(name));
}
