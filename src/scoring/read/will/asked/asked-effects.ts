/** Which lasting effects of code the user's own words ask for: a schedule, a start file, a hook, a release, an empty database. */

import type { Effect, EffectKind } from '../../../../effects/effects.ts';
import { isKnownRegistry } from '../../../../effects/package-sources.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { inOrder } from '../../../../lang/in-order.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, tableOf, wordOf } from '../../../../ontology/words.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { editsOfEvent } from '../../action/content/edits.ts';
import type { TextReading } from '../../conversation/text.ts';
import { wantsOnlyAnswer } from './answer-only.ts';

interface Row {
  kinds: ReadonlySet<string>;
  objects: RegExp;
  words: RegExp;
  /** The user must name the object, too. */
  is_named: boolean;
  /** The user must name the object or its folder. */
  is_in_named_folder: boolean;
}

const rowsOf = perOntology((ontology) => {
  const named_rows = setOf(ontology, 'named_rows');
  const folder_rows = setOf(ontology, 'folder_rows');
  const kinds = tableOf(ontology, 'asked_kinds');
  const named = setOf(ontology, 'named_kinds');
  return {
    rows: [...kinds].map(
      ([name, of_row]): Row => ({
        kinds: new Set(of_row),
        objects: patternOf(ontology, 'asked_objects', name),
        words: patternOf(ontology, 'asked_words', name),
        is_named: named_rows.has(name),
        is_in_named_folder: folder_rows.has(name),
      }),
    ),
    lasting: new Set([...kinds.values()].flat().concat([...named])),
    plain: setOf(ontology, 'plain_effects'),
    fetching: setOf(ontology, 'fetching_effects'),
    stored: setOf(ontology, 'plain_stored_effects'),
    named,
    beside: setOf(ontology, 'named_beside'),
    changing: setOf(ontology, 'changing_kinds'),
    spared: setOf(ontology, 'spared_kinds'),
    never: anyOf(ontology, 'asked_never'),
    unfit: anyOf(ontology, 'asked_unfit'),
    unlimited: anyOf(ontology, 'unlimited_agents'),
    denied: new RegExp(patternOf(ontology, 'denied_tools', 'list').source, 'gi'),
    production: wordOf(ontology, 'production_words'),
  };
});

/** Characters of the user's words that are read, from the end: what was asked last counts. */
const MAX_WORDS = 65_536;
/** Shorter names of objects are part of any text. */
const SHORTEST_NAME = 4;

/**
 * The kinds of which every effect is asked for. Nothing is asked for where something stands beside it that no plain work has,
 * or where code runs from a hidden place.
 */
export function askedEffects(
  event: AgentEvent,
  content: ContentReading,
  text: TextReading,
  ontology: Ontology,
): EffectKind[] {
  const { rows, lasting, plain, fetching, stored, named, beside, changing, spared, unfit, unlimited, production } =
    rowsOf(ontology);
  const found = content.effects.filter(({ kind }) => lasting.has(kind));
  if (found.length === 0 || !text.has_request) return [];
  // A question about a thing names it and asks for no change of it.
  if (found.some(({ kind }) => changing.has(kind)) && wantsOnlyAnswer(ontology, text)) return [];
  const said = wantedWords(text, ontology);
  const values = parametersOf(event).leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  if (said === '' || values.some((value) => unfit.test(value))) return [];
  const isProduction = production.test(said) || values.some((value) => production.test(value));
  const isUnlimited = allowedBy(event, values, ontology).some((value) => unlimited.test(value));
  const isAsked = (effect: Effect): boolean => {
    if ((isProduction && spared.has(effect.kind)) || (isUnlimited && effect.kind === 'modifies_agent')) return false;
    if (effect.kind === 'downloads_and_runs' && isKnownRegistry(effect.object, ontology)) return true;
    return (
      (named.has(effect.kind) && namesObject(said, effect.object)) || rows.some((row) => asksFor(row, effect, said))
    );
  };
  const startsNothing = !found.some(({ kind }) => kind === 'persists');
  const isRight = (effect: Effect): boolean =>
    effect.scope === 'scratch' ||
    plain.has(effect.kind) ||
    (beside.has(effect.kind) && namesObject(said, effect.object)) ||
    (startsNothing && fetching.has(effect.kind)) ||
    (lasting.has(effect.kind) && isAsked(effect));
  const isPlainStored = (effect: Effect): boolean => stored.has(effect.kind) || isRight(effect);
  if (!content.effects.every(isRight) || !content.dormant_effects.every(isPlainStored)) return [];
  return inOrder(found.map(({ kind }) => kind)) as EffectKind[];
}

/** The texts of a call without what an edit leaves as it was, and without lists of what is denied. */
function allowedBy(event: AgentEvent, values: readonly string[], ontology: Ontology): string[] {
  const edits = editsOfEvent(event, ontology).filter(({ before }) => before !== '');
  const old = new Set(edits.flatMap(({ before }) => before.split('\n')));
  const after = new Set(edits.flatMap(({ after }) => [after]));
  const before = new Set(edits.map((edit) => edit.before));
  return values
    .filter((value) => !before.has(value))
    .map((value) =>
      after.has(value)
        ? value
            .split('\n')
            .filter((line) => !old.has(line))
            .join('\n')
        : value,
    )
    .map((value) => value.replace(rowsOf(ontology).denied, ''));
}

function asksFor(
  { kinds, objects, words, is_named, is_in_named_folder }: Row,
  { kind, object, excerpt }: Effect,
  said: string,
): boolean {
  return (
    kinds.has(kind) &&
    (objects.test(object) || objects.test(excerpt)) &&
    words.test(said) &&
    (!is_named || namesObject(said, object) || namesMost(said, object)) &&
    (!is_in_named_folder || namesObject(said, object) || namesFolder(said, object))
  );
}

/** The user's words without what a sentence rules out. */
export function wantedWords(text: TextReading, ontology: Ontology): string {
  const { never } = rowsOf(ontology);
  const all = `${text.trusted.slice(-MAX_WORDS)}\n${text.last_user_message.slice(-MAX_WORDS)}`;
  return all
    .split(/[.!?;\n](?=\s|$)|\n/)
    .map((sentence) => sentence.slice(0, never.exec(sentence)?.index ?? sentence.length))
    .join('\n')
    .trim();
}

/** Whether the user gives the folder of the object as a word. */
function namesFolder(said: string, object: string): boolean {
  const folder = object.slice(0, Math.max(0, object.lastIndexOf('/'))).toLowerCase();
  return folder.length >= SHORTEST_NAME && standsAlone(folder, said.toLowerCase());
}

/** Whether the user gives at least half of the words of a name of several words: a setting is mentioned in another order. */
function namesMost(said: string, object: string): boolean {
  const words = object
    .slice(object.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(' ')
    .filter(({ length }) => length >= SHORTEST_NAME);
  const given = said.toLowerCase();
  return words.length > 1 && words.filter((word) => standsAlone(word, given)).length * 2 >= words.length;
}

/** Whether the user gives the last part of the object's name as a word. */
function namesObject(said: string, object: string): boolean {
  const name = object.slice(object.lastIndexOf('/') + 1).toLowerCase();
  if (name.length < SHORTEST_NAME) return false;
  return standsAlone(name, said.toLowerCase());
}
