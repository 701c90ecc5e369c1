/** Whether an action is applied to everything although the request means one thing or a named few. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf, walkOf } from '../../../../events/parameters.ts';
import type { Json } from '../../../../lang/json.ts';
import { asciiLower, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { unboundedParameter } from '../../action/volume.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { foldText } from '../../words/fold.ts';
import { userWords } from '../user-words.ts';

const words = perOntology((ontology) => ({
  all: setOf(ontology, 'all_words'),
  filters: setOf(ontology, 'filter_names'),
  filtered: setOf(ontology, 'filtered_effects'),
  everybody: setOf(ontology, 'everybody_names'),
  audiences: setOf(ontology, 'audience_names'),
  clearing: setOf(ontology, 'clearing_words'),
  one: setOf(ontology, 'one_words'),
  quantifiers: setOf(ontology, 'quantifier_words'),
  operators: tableOf(ontology, 'true_operators'),
  always_true: anyOf(ontology, 'always_true'),
}));

const LONGEST_FILTER = 256;

/**
 * What applies the action to everything: the name of the parameter whose value does, or the name of the action; '' if nothing does.
 */
export function reachOfAll(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
): string {
  const { entries } = parametersOf(event);
  const { filters, filtered } = words(ontology);
  const isFiltered = filtered.has(action.effective_group);
  const filter = entries.find(
    ({ name, value }) => filters.has(name) && holdsAlways(value, ontology) && (isFiltered || !isEmpty(value)),
  );
  if (filter !== undefined) return filter.path;
  const selection = unboundedParameter(event, ontology) || audienceOfAll(event, ontology);
  if (selection !== '') return selection;
  const named = [action.scope, action.verb, action.tool_name].find((name) =>
    wordsOf(name).some((word) => words(ontology).all.has(word)),
  );
  // `cancel_all` for one customer whom the user named.
  return named === undefined || args.some(isBound) ? '' : named;
}

/** What stands in a longer text, such as a remark, binds nothing. */
const isBound = ({ provenance, role, kind, path }: Argument): boolean =>
  provenance === 'user' && !path.includes('#') && role !== 'recipient' && kind !== 'phrase' && kind !== 'flag';

function audienceOfAll(event: AgentEvent, ontology: Ontology): string {
  const { audiences, everybody } = words(ontology);
  return (
    parametersOf(event).leaves.find(
      ({ name, value }) =>
        typeof value === 'string' &&
        value.length <= 48 &&
        audiences.has(name) &&
        everybody.has(wordsOf(value)[0] ?? ''),
    )?.path ?? ''
  );
}

/** A filter left empty: agents fill in parameters that they do not need. It selects only where actions are applied to a selection. */
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
  return Array.isArray(value) ? false : holdsForAll(value, ontology);
}

function isTrueText(text: string, ontology: Ontology): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) && holdsForAll(value, ontology);
  } catch {
    return false;
  }
}

function holdsForAll(filter: { [key: string]: Json }, ontology: Ontology): boolean {
  const { operators } = words(ontology);
  const { leaves, entries } = walkOf(filter);
  if (leaves.length === 0) {
    const names = entries.map(({ key }) => asciiLower(key));
    return (
      names.every((name) => operators.has(name) || name === 'query' || name === 'filter') &&
      !entries.some(({ value }) => value === null)
    );
  }
  return leaves.every(({ key, value }) => operators.get(asciiLower(key))?.includes(String(value) || 'empty') === true);
}

/** `one`: the request names one thing or a few; `some`: it does not say all; '' where it may mean everything. */
export function meantByRequest(ontology: Ontology, text: TextReading): 'one' | 'some' | '' {
  const request = requestOf(text, ontology);
  if (!request.has_words || request.is_open_ended) return '';
  const said = userWords(text);
  const { quantifiers, clearing, one } = words(ontology);
  const used = foldText(said).split(/[^\p{L}]+/u);
  if (used.some((word) => quantifiers.has(word) || clearing.has(word))) return '';
  const isOne =
    request.telling_names.size > 0 || used.some((word) => one.has(word)) || /\p{L}['’]s?\s+\p{L}/u.test(said);
  return isOne ? 'one' : 'some';
}
