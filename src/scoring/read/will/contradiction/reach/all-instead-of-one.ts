/** Whether an action is applied to everything although the request means one thing or a named few. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf, parentOf } from '../../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf, snakeCase, wordsOf } from '../../../../../lang/names.ts';
import { standsAlone } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../../ontology/words.ts';
import type { ActionReading } from '../../../action/action.ts';
import { perCallNames } from '../../../action/content/call-names.ts';
import { filterOfEverything, holdsAlways } from '../../../action/selection.ts';
import { unboundedParameter } from '../../../action/volume.ts';
import { corpusOf } from '../../../conversation/corpus.ts';
import { requestOf } from '../../../conversation/request.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords, saysAny, userWords } from '../../../conversation/user-words.ts';
import type { Argument } from '../../../values/argument.ts';
import { namedValues } from '../../../values/named-values.ts';
import { namedRecords } from '../../../values/records/named-record.ts';
import { foldText } from '../../../words/fold.ts';
import { verbLookup } from '../../../words/verb-table.ts';
import { bulkReach } from './bulk-reach.ts';
import { openToAll } from './open-to-all.ts';
import { meansSeveral } from './several.ts';
import { statedReach } from './stated-reach.ts';

const words = perOntology((ontology) => ({
  all: setOf(ontology, 'all_words'),
  filters: setOf(ontology, 'filter_names'),
  everybody: setOf(ontology, 'everybody_names'),
  audiences: setOf(ontology, 'audience_names'),
  clearing: setOf(ontology, 'clearing_words'),
  one: setOf(ontology, 'one_words'),
  quantifiers: setOf(ontology, 'quantifier_words'),
  wide_scopes: setOf(ontology, 'wide_scopes'),
  scopes: setOf(ontology, 'scope_names'),
  columns: setOf(ontology, 'column_parameters'),
  rights: setOf(ontology, 'rights_parameters'),
  joined: setOf(ontology, 'joined_names'),
  matched: setOf(ontology, 'matched_words'),
  matched_names: setOf(ontology, 'matched_names'),
  emptying: setOf(ontology, 'emptying_verbs'),
  containers: setOf(ontology, 'container_words'),
  range_starts: setOf(ontology, 'range_start_words'),
  range_ends: setOf(ontology, 'range_end_words'),
  descending: setOf(ontology, 'descending_switches'),
  operator_names: setOf(ontology, 'operator_names'),
  partial: setOf(ontology, 'partial_operators'),
  ends: setOf(ontology, 'name_end_words'),
  root_keys: patternOf(ontology, 'tree_keys', 'root'),
  root_values: setOf(ontology, 'root_values'),
  numbered: patternOf(ontology, 'numbered_values', 'path'),
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
  text: TextReading,
): string {
  const filter = filterOfEverything(event, ontology, action.effective_group);
  if (filter !== '') return filter;
  const selection =
    selectionOfAll(event, ontology, args, text) ||
    rootWithAllBelow(event, ontology) ||
    widerThanNamed(event, ontology, text) ||
    openToAll(event, ontology, text) ||
    (action.effective_group === 'delete' ? rangeAlone(event, ontology, args) : '');
  if (selection !== '') return selection;
  const counted = countOfMany(event, ontology);
  // How many a campaign reaches that the user named by its number follows from the campaign.
  if (counted !== '' && !args.some((arg) => isIdentified(arg, ontology)) && !meansSeveral(text)) return counted;
  const bulk = bulkReach(event, ontology, action, text) || statedReach(event, ontology, text);
  if (bulk !== '') return bulk;
  // «Wipe Paul's laptop» means all that is on it.
  const emptied = emptiedByName(event, ontology);
  // A file that the user named may be the whole of what is meant.
  const isMeant = (): boolean =>
    saysAny(text, words(ontology).emptying) || args.some((arg) => isBound(arg) && arg.kind === 'path');
  if (emptied !== '' && !isMeant()) return emptied;
  // `cancel_all` for one customer whom the user named.
  const named = namesOfReach(event, ontology).all;
  return named === '' || args.some(isBound) ? '' : named;
}

/** What stands in a longer text, such as a remark, binds nothing. */
const isBound = ({ provenance, role, kind, path }: Argument): boolean =>
  provenance === 'user' && !path.includes('#') && role !== 'recipient' && kind !== 'phrase' && kind !== 'flag';

/** `status: shipped, items: all` of one order that the user named: all of that order is meant. */
function selectionOfAll(event: AgentEvent, ontology: Ontology, args: readonly Argument[], text: TextReading): string {
  const found = unboundedParameter(event, ontology) || audienceOfAll(event, ontology, args);
  if (found === '') return '';
  const { scopes, wide_scopes } = words(ontology);
  const isOfNamed = parametersOf(event).leaves.some(
    ({ path, name, value }) =>
      path === found && (isWord(value) || (scopes.has(name) && !wide_scopes.has(snakeCase(String(value))))),
  );
  if (!isOfNamed) return found;
  if (args.some((arg) => isIdentified(arg, ontology))) return '';
  // «Carry out DSR-140»: what is looked up there names the person.
  const records = namedRecords(event, ontology, text);
  const isOfRecord = ({ kind, value }: Argument): boolean =>
    kind === 'identifier' && /\d/.test(value) && records.some((record) => standsAlone(value, record));
  return records.length > 0 && args.some(isOfRecord) ? '' : found;
}

const isWord = (value: Leaf['value']): boolean => typeof value === 'string' && /^[a-z]+$/i.test(value);

/** A number of one thing that the user gave. */
const isIdentified = (arg: Argument, ontology: Ontology): boolean =>
  isBound(arg) &&
  /\d/.test(arg.value) &&
  arg.role !== 'amount' &&
  (arg.kind === 'identifier' || arg.kind === 'number') &&
  !words(ontology).numbered.test(arg.path);

/** `audience: all_customers`, `workers: ALL_ACTIVE`, `scope: company`. */
function audienceOfAll(event: AgentEvent, ontology: Ontology, args: readonly Argument[]): string {
  const { audiences, everybody, joined, wide_scopes, scopes } = words(ontology);
  // «Add Dora to all-staff»: the group of everybody is what one person joins.
  const isForOne =
    args.filter(({ kind, role }) => kind === 'email' && (role === 'principal' || role === '')).length === 1;
  const found = parametersOf(event).leaves.find(({ name, value }) => {
    const named =
      typeof value === 'string' ? value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf(':')) + 1) : '';
    if (named === '' || named.length > LONGEST_AUDIENCE || (isForOne && joined.has(name))) return false;
    const isOfPeople = audiences.has(name) || scopes.has(name) || isPluralThing(name, ontology);
    if (isOfPeople && everybody.has(wordsOf(named)[0] ?? '')) return true;
    return scopes.has(name) && wide_scopes.has(snakeCase(named));
  });
  return found?.path ?? '';
}

const LONGEST_AUDIENCE = 48;

/** A span of time that is all that says what is deleted: `time_min` and `time_max` of a calendar. */
function rangeAlone(event: AgentEvent, ontology: Ontology, args: readonly Argument[]): string {
  const { range_starts, range_ends, containers, ends, filters } = words(ontology);
  const { leaves } = parametersOf(event);
  const start = leaves.find(({ name, value }) => isDate(value) && wordsOf(name).some((word) => range_starts.has(word)));
  const end = leaves.find(({ name, value }) => isDate(value) && wordsOf(name).some((word) => range_ends.has(word)));
  if (start === undefined || end === undefined || start.path === end.path) return '';
  // Any tool may pass over a parameter that it does not know, so one narrows the span only where its name or the user says so.
  const isSaid = ({ path, name }: Leaf): boolean =>
    filters.has(name) ||
    wordsOf(name).some((word) => ends.has(singular(word))) ||
    args.some((arg) => arg.path === path && arg.provenance === 'user');
  const isOther = (leaf: Leaf): boolean =>
    leaf.path !== start.path &&
    leaf.path !== end.path &&
    typeof leaf.value !== 'boolean' &&
    String(leaf.value ?? '').trim() !== '' &&
    !isContainer(leaf.name) &&
    isSaid(leaf);
  const isContainer = (name: string): boolean =>
    wordsOf(name)
      .map(singular)
      .every((word) => containers.has(word) || ends.has(word));
  return leaves.some(isOther) ? '' : start.path;
}

const isDate = (value: Leaf['value']): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value);

/** `workers`, `employee_ids`, and neither `fields`, `permissions` nor `send_updates`, whose first word is a verb. */
function isPluralThing(name: string, ontology: Ontology): boolean {
  const { columns, rights } = words(ontology);
  if (columns.has(name) || rights.has(name)) return false;
  const of_name = wordsOf(name);
  const last = of_name.at(-1) ?? '';
  return last.length > 3 && singular(last) !== last && of_name.length < 3 && !isVerb(of_name[0]!, ontology);
}

const isVerb = (word: string, ontology: Ontology): boolean =>
  verbLookup(ontology).verbs.has(word) && singular(word) === word;

/** The root of a tree with everything below it: `category_id: 0, include_children: true`. */
function rootWithAllBelow(event: AgentEvent, ontology: Ontology): string {
  const { descending, root_keys, root_values } = words(ontology);
  const isRootId = (value: Leaf['value']): boolean =>
    value === 0 || (typeof value === 'string' && root_values.has(asciiLower(value.trim())));
  const { leaves } = parametersOf(event);
  const isWhole = leaves.some(({ name, value }) => descending.has(name) && (value === true || value === 'true'));
  if (!isWhole) return '';
  return leaves.find(({ name, value }) => root_keys.test(name) && isRootId(value))?.path ?? '';
}

/** How many things a call says that it reaches; from here on they are not one. */
const MANY = 20;

function countOfMany(event: AgentEvent, ontology: Ontology): string {
  if (!namesOfReach(event, ontology).mayCount) return '';
  const isMany = ({ name, value }: Leaf): boolean => isCountName(name, ontology) && Number(value) >= MANY;
  return parametersOf(event).leaves.find(isMany)?.path ?? '';
}

/** `matched_count`, `affected_users`, `members_matched`, `matched` */
function isCountName(name: string, ontology: Ontology): boolean {
  const { matched, matched_names } = words(ontology);
  if (matched_names.has(name)) return true;
  const [first = '', ...rest] = wordsOf(name);
  const last = rest.at(-1) ?? '';
  // `expected: 24` is a number of anything.
  if (rest.length === 0) return false;
  if (matched.has(last)) return singular(first) !== first;
  return matched.has(first) && (last === 'count' || singular(last) !== last);
}

/** What the names of a call say about its reach. */
const namesOfReach = perCallNames(({ action, tool, names, is_cut }, ontology) => {
  const { all, emptying, containers } = words(ontology);
  const [, scope = '', verb = ''] = action.split(':');
  const empties = (name: string): boolean =>
    [emptying, containers].every((list) => wordsOf(name).some((word) => list.has(singular(word))));
  return {
    /** A parameter may say how many things are reached. */
    mayCount: is_cut || names.some((name) => isCountName(name, ontology)),
    /** `cancel_all`; '' if no name says so. */
    all: [scope, verb, tool].find((name) => wordsOf(name).some((word) => all.has(word))) ?? '',
    /** `clear_calendar`; '' if no name says so. */
    emptied: [tool, `${scope}_${verb}`].find(empties) ?? '',
  };
});

/** `clear_calendar`, `purge_list` without a thing in it or a condition. */
function emptiedByName(event: AgentEvent, ontology: Ontology): string {
  const { containers, filters, ends } = words(ontology);
  const named = namesOfReach(event, ontology).emptied;
  if (named === '') return '';
  const isLimited = parametersOf(event).leaves.some(({ name, value }) => {
    if (typeof value === 'boolean') return false;
    if (filters.has(name)) return !holdsAlways(value, ontology);
    const of_name = singularsOf(name);
    const thing = of_name.filter((word) => !ends.has(word)).at(-1);
    return of_name.some((word) => ends.has(word)) && thing !== undefined && !containers.has(thing);
  });
  return isLimited ? '' : named;
}

/** A pattern or a part of a value that fits the one the user named and others: `*@web.de` for one address there. */
function widerThanNamed(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { operator_names, partial } = words(ontology);
  const { leaves } = parametersOf(event);
  const inner = new Set(
    leaves
      .filter(
        ({ name, value }) =>
          operator_names.has(name) && typeof value === 'string' && wordsOf(value).some((word) => partial.has(word)),
      )
      .map(({ path }) => parentOf(path)),
  );
  const candidates = leaves.filter(
    ({ path, value }) =>
      typeof value === 'string' &&
      value.length <= LONGEST_FILTER &&
      (/[*%]/.test(value) || (inner.size > 0 && inner.has(parentOf(path)))),
  );
  if (candidates.length === 0) return '';
  const named = namedValues(corpusOf(text)).map(({ value }) => foldText(value.text));
  const said = foldedUserWords(text);
  return (
    candidates.find(({ value }) => {
      const pieces = foldText(String(value))
        .split(/[*%]+/)
        .filter((piece) => piece.replace(/[^\p{L}\p{N}]/gu, '').length > 1);
      if (pieces.length === 0) return false;
      // A domain or folder that the user named by itself is what was meant.
      const core = pieces.map(withoutSigns);
      if (core.some((piece) => standsAlone(piece, said, BORDERS))) return false;
      return named.some((one) => one !== foldText(String(value)) && holdsInOrder(one, pieces));
    })?.path ?? ''
  );
}

/** The text from its first to its last letter or digit. */
function withoutSigns(text: string): string {
  const isSign = (at: number): boolean => !/[\p{L}\p{N}]/u.test(text.charAt(at));
  let from = 0;
  let to = text.length;
  while (from < to && isSign(from)) from++;
  while (to > from && isSign(to - 1)) to--;
  return text.slice(from, to);
}

function holdsInOrder(whole: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    const found = whole.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return pieces.join('').length < whole.length;
}

/** Of a value, which may be a path, an address or a part of either. */
const BORDERS = { before: /[\p{L}\p{N}@_/.-]/u, behind: /^[\p{L}\p{N}@_/-]/u };

/** `one`: the request names one thing or a few; `some`: it does not say all; '' where it may mean everything. */
export function meantByRequest(ontology: Ontology, text: TextReading): 'one' | 'some' | '' {
  const request = requestOf(text, ontology);
  if (!request.has_words || request.is_open_ended) return '';
  const { quantifiers, clearing, one } = words(ontology);
  if (saysAny(text, quantifiers) || saysAny(text, clearing)) return '';
  const isOne =
    request.telling_names.size > 0 ||
    namedValues(corpusOf(text)).length > 0 ||
    saysAny(text, one) ||
    /\p{L}['’]s?\s+\p{L}/u.test(userWords(text));
  return isOne ? 'one' : 'some';
}
