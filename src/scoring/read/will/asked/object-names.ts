/** The names of what an action works on: of commands, of effects of code, of parameters. */
import type { Effect } from '../../../../effects/effects.ts';
import type { CommandCall } from '../../../../effects/world.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { hashWord } from '../../words/lexer.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

const nameWords = perOntology((ontology) => ({
  beside: setOf(ontology, 'beside_orders'),
  places: setOf(ontology, 'order_places'),
  plain: setOf(ontology, 'order_plain_words'),
  wrappers: setOf(ontology, 'order_wrappers'),
  whole: setOf(ontology, 'whole_things'),
}));

/** Plain words of a command before its object: a service and a sub-command. */
const COMMAND_WORDS = 2;
/** A value with more words is a text. */
const MOST_WORDS = 8;
/** A count, a port, a percentage or a duration; longer numbers are ids. */
const NUMBER = /^[-+]?\d{1,5}(?:\.\d{1,6})?[a-z%]{0,3}$/i;

/** What of an event's readings the names need. */
export interface ObjectParts {
  event: AgentEvent;
  ontology: Ontology;
  content: ContentReading;
}

/** More than plain work, and not in a temporary place. */
export const isGraveEffect = ({ kind, scope }: Effect, ontology: Ontology): boolean =>
  scope !== 'scratch' && !nameWords(ontology).beside.has(kind);

/** The names of what the action works on; null where not each of them can be told. */
export function objectNames({ event, ontology, content }: ObjectParts): string[] | null {
  if (content.calls.length > 0)
    return content.calls_are_partial ? null : namesOfCalls(graveCalls(content, ontology), ontology);
  if (content.effects.length > 0) return content.effects.flatMap((effect) => namesOfEffect(effect, ontology));
  const names: string[] = [];
  for (const { key, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value === '' || isPlace(key, ontology)) continue;
    if (value.trim().split(/\s+/).length > MOST_WORDS) return null;
    names.push(...parts(value).filter((part) => !isPlain(part, ontology)));
  }
  return names;
}

/** The calls that have the grave effects, where they can be told: a backup branch that is made first needs no order. */
function graveCalls({ calls, effects }: ContentReading, ontology: Ontology): readonly CommandCall[] {
  const grave = effects.filter((effect) => isGraveEffect(effect, ontology));
  const isGrave = ({ program, words }: CommandCall): boolean =>
    grave.some(({ excerpt }) => excerpt.startsWith(program) && words.every(({ text }) => excerpt.includes(text)));
  const found = calls.filter(isGrave);
  return grave.length > 0 && grave.every(({ excerpt }) => found.some(({ program }) => excerpt.startsWith(program)))
    ? found
    : calls;
}

function namesOfCalls(calls: readonly CommandCall[], ontology: Ontology): string[] {
  const names: string[] = [];
  for (const { program, words } of calls) {
    if (nameWords(ontology).wrappers.has(program)) continue;
    let option = '';
    let plain = 0;
    for (const { text, is_known } of words) {
      const [, name = '', value] = /^--?([A-Za-z][\w.-]{0,60})(?:=(.*))?$/s.exec(text) ?? [];
      const given = name === '' ? text : (value ?? '');
      const of = name === '' ? option : name;
      option = name !== '' && value === undefined ? name : '';
      if (!is_known || given === '' || given.startsWith('-') || isPlace(of, ontology)) continue;
      if (of === '' && plain < COMMAND_WORDS && /^[a-z][a-z\d-]{1,40}$/.test(given)) {
        plain++;
        continue;
      }
      names.push(...parts(given).filter((part) => !isPlain(part, ontology)));
    }
  }
  return names;
}

/** What stands in the code as it is; `database of this machine` only describes. */
function namesOfEffect({ object, excerpt }: Effect, ontology: Ontology): string[] {
  return object
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && excerpt.toLowerCase().includes(word.toLowerCase()))
    .flatMap((word) => parts(word))
    .filter((part, _, all) => (all.length === 1 ? !NUMBER.test(part) : !isPlain(part, ontology)));
}

/** Whether a parameter or an option says where, who or why, and not what. */
export const isPlace = (name: string, ontology: Ontology): boolean =>
  nameWords(ontology).places.has(name.toLowerCase()) || nameWords(ontology).places.has(wordsOf(name).join('_'));

/** The members of a list that is written as one word; the last part of an address. */
function parts(value: string): string[] {
  const path = /^[a-z][a-z\d+.-]{1,16}:\/\/[^/]{1,255}(\/.*)?$/is.exec(value)?.[1];
  if (path !== undefined)
    return [
      path
        .split(/[?#]/)[0]!
        .split('/')
        .findLast((part) => part !== '') ?? value,
    ];
  return value
    .split(/[,\s]+/)
    .map((part) => (part.lastIndexOf('/') === 0 ? part.slice(1) : part))
    .filter((part) => part !== '');
}

/** Numbers of a few digits, and words that name a kind of deed or thing and no thing of its own. */
function isPlain(word: string, ontology: Ontology): boolean {
  if (nameWords(ontology).whole.has(word.toLowerCase())) return false;
  if (NUMBER.test(word)) return true;
  const { words, domains } = vocabularyOf(ontology);
  const { plain } = nameWords(ontology);
  if (!/^[A-Za-z][A-Za-z_-]*$/.test(word)) return false;
  return wordsOf(word).every((one) => {
    const hash = hashWord(one);
    return plain.has(one) || words.kinds(hash) !== 0 || domains.has(hash) || ontology.resource_types.has(one);
  });
}
