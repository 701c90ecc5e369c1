/** Whether an action does the opposite of what the user asked for: a valve is opened that was to be closed. */
import { isPatchEnvelope } from '../../../../../effects/edits/edits.ts';
import { withoutCarriedTexts } from '../../../../../effects/shell/carried-texts.ts';
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { asciiLower, singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../../../ontology/words.ts';
import type { ActionReading } from '../../../action/action.ts';
import { perCallNames } from '../../../action/content/call-names.ts';
import { editsOfEvent } from '../../../action/content/edits.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords, perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

export interface Opposite {
  /** Word of the request and word of the action; both '' where they do not contradict each other. */
  asked: string;
  done: string;
}

/** Deed → the way, 1 or 2, and the word that says it; 3 where both ways are said. */
type Ways = Map<string, { way: number; word: string }>;

/** The ways of the name of an action, or of one of its values. */
interface Source {
  ways: Ways;
  is_value: boolean;
}

interface Sense {
  deed: string;
  way: number;
  is_state: boolean;
}

const words = perOntology((ontology) => ({
  senses: sensesByWord(ontology),
  state_verbs: setOf(ontology, 'state_verbs'),
  before: setOf(ontology, 'before_deed'),
  denying: setOf(ontology, 'denying_words'),
  again: setOf(ontology, 'again_words'),
  parameters: setOf(ontology, 'way_parameters'),
  turned: setOf(ontology, 'turned_names'),
  changes: setOf(ontology, 'change_names'),
  process: setOf(ontology, 'process_nouns'),
  no_way: anyOf(ontology, 'commands_without_way'),
}));

function sensesByWord(ontology: Ontology): ReadonlyMap<string, readonly Sense[]> {
  const senses = new Map<string, Sense[]>();
  const tables = [
    { name: 'one_way', way: 1, is_state: false },
    { name: 'other_way', way: 2, is_state: false },
    { name: 'one_state', way: 1, is_state: true },
    { name: 'other_state', way: 2, is_state: true },
  ];
  for (const { name, way, is_state } of tables)
    for (const [deed, row] of tableOf(ontology, name))
      for (const word of row) senses.set(word, [...(senses.get(word) ?? []), { deed, way, is_state }]);
  return senses;
}

/** The deed of which a number tells the way. */
const LEVEL = 'level';
const NONE: Opposite = { asked: '', done: '' };
const LONGEST_TEXT = 4_096;

export function oppositeOf(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): Opposite {
  if (!text.has_request) return NONE;
  const sources = waysOfAction(event, ontology);
  if (sources.every(({ ways }) => ways.size === 0)) return NONE;
  const asked = waysOfRequest(text);
  if (asked.size === 0) return NONE;
  const said = foldedUserWords(text).slice(0, LONGEST_TEXT);
  const isState = speaksOf(said, event, ontology, action, true);
  const isNamed = speaksOf(said, event, ontology, action, false);
  for (const { ways, is_value } of sources) {
    // «Close the ticket»: a page of it may be opened for that, and its state may not be set to open.
    if (!(is_value ? isState : isNamed)) continue;
    for (const [deed, { way, word }] of ways) {
      const wish = asked.get(deed);
      if (wish !== undefined && wish.way + way === 3 && wish.way !== 3 && way !== 3)
        return { asked: wish.word, done: word };
    }
  }
  return NONE;
}

function note(ways: Ways, deed: string, way: number, word: string): void {
  const known = ways.get(deed);
  ways.set(deed, known === undefined || known.way === way ? { way, word: known?.word ?? word } : { way: 3, word });
}

/** The ways that the request asks for. A way that is named without being asked for leaves the deed open. */
const waysOfRequest = perRequest((words_of_user, ontology) => {
  const { senses, state_verbs, before, denying, again } = words(ontology);
  const ways: Ways = new Map();
  const said = foldText(words_of_user).slice(0, LONGEST_TEXT);
  for (const sentence of said.replace(/(\p{L})['’]t\b/gu, '$1t').split(/[.;!?\n]+/)) {
    const earlier: string[] = [];
    for (const clause of sentence.split(/[,:]+/)) {
      const said_words = clause.match(/\p{L}+/gu) ?? [];
      for (const [i, word] of said_words.entries()) {
        for (const { deed, way, is_state } of sensesOf(word, senses)) {
          // «Do not weaken the check to reduce the load»: what is forbidden is forbidden for that purpose, too.
          const isPurpose = earlier.at(-1) === 'to';
          const isDenied = (isPurpose ? earlier : earlier.slice(-3)).some((one) => denying.has(one));
          const isLed = i === 0 || before.has(earlier.at(-1)!);
          const isAsked = is_state ? earlier.some((one) => state_verbs.has(one)) : isLed && senses.has(word);
          const isSecond = again.has(said_words[i + 1] ?? '');
          if (isAsked && !isDenied && !isSecond) note(ways, deed, way, word);
          else if (!is_state) note(ways, deed, 3, word);
        }
        earlier.push(word);
      }
    }
  }
  return ways;
});

const NO_SENSES: readonly Sense[] = [];

/** The senses of a word, or of the verb of which it is a form in «-ing». */
function sensesOf(word: string, senses: ReadonlyMap<string, readonly Sense[]>): readonly Sense[] {
  const own = senses.get(word);
  if (own !== undefined || !word.endsWith('ing')) return own ?? NO_SENSES;
  const stem = word.slice(0, -3);
  return senses.get(stem) ?? senses.get(`${stem}e`) ?? senses.get(stem.slice(0, -1)) ?? NO_SENSES;
}

/** Characters of a value that is read command by command, and commands of it. */
const LONGEST_VALUE = 16_000;
const MAX_COMMANDS = 16;

/**
 * The ways that names, each switch and each value of the action say. Each is judged alone, so that nothing that stands beside it
 * makes up for what it does. Of a name and a value that says how, the value counts.
 */
function waysOfAction(event: AgentEvent, ontology: Ontology): readonly Source[] {
  const { senses, parameters, turned, changes } = words(ontology);
  const add = (ways: Ways, word: string, turns: boolean): void => addWay(ways, word, turns, senses);
  const sources: Source[] = [];
  const told: Ways = new Map();
  let changed = false;
  // A switch beside the new text of a file says how the editor finds the place, and nothing of what becomes of the file.
  const isEdit = editsOfEvent(event, ontology).length > 0;
  for (const { name, value } of parametersOf(event).leaves.slice(0, 64)) {
    if (typeof value === 'number' && value !== 0 && isChange(name, changes, senses)) {
      const ways: Ways = new Map([[LEVEL, { way: value > 0 ? 1 : 2, word: String(value) }]]);
      sources.push({ ways, is_value: true });
      changed = true;
    }
    // What the name of a switch turns around tells nothing about the way.
    const isWay = (typeof value === 'boolean' && !isEdit) || (typeof value === 'string' && parameters.has(name));
    if (!isWay || wordsOf(name).some((word) => turned.has(word))) continue;
    const ways: Ways = new Map();
    if (typeof value === 'boolean') for (const word of wordsOf(name)) add(ways, word, !value);
    else if (value.length <= LONGEST_VALUE)
      for (const command of commandsOf(value, ontology)) {
        const of_command: Ways = new Map();
        const of_value = wordsOf(command);
        if (of_value.length <= 12) for (const word of of_value.slice(0, 4)) add(of_command, asciiLower(word), false);
        for (const [, word] of command.matchAll(SWITCH)) add(of_command, word!, false);
        for (const [deed, one] of of_command) {
          ways.set(deed, one);
          told.set(deed, one);
        }
      }
    sources.push({ ways, is_value: true });
  }
  // The name says what can be set, the value what is set: `lock_door` with the state `unlocked` unlocks.
  const names: Ways = new Map(waysOfNames(event, ontology));
  for (const deed of told.keys()) names.delete(deed);
  // `reduce_by: 3` lowers: beside a way of the name a change has no sign.
  const isNamed = changed && names.has(LEVEL);
  const left = isNamed ? sources.filter(({ ways }) => !ways.has(LEVEL)) : sources;
  return [{ ways: names, is_value: false }, ...left];
}

/** `delta_c`, and not `lower_by`, which says its way itself. */
const isChange = (name: string, changes: ReadonlySet<string>, senses: ReadonlyMap<string, readonly Sense[]>): boolean =>
  wordsOf(name).some((word) => changes.has(word)) && !wordsOf(name).some((word) => senses.has(word));

function addWay(ways: Ways, word: string, turns: boolean, senses: ReadonlyMap<string, readonly Sense[]>): void {
  for (const { deed, way } of senses.get(word) ?? NO_SENSES) note(ways, deed, turns ? 3 - way : way, word);
}

/** The ways that the names of action and tool say. */
const waysOfNames = perCallNames(({ action, tool }, ontology) => {
  const { senses } = words(ontology);
  const [, , verb = ''] = action.split(':');
  const ways: Ways = new Map();
  for (const word of [...wordsOf(verb), ...wordsOf(tool)]) addWay(ways, word, false, senses);
  return ways;
});

/** An option of one word that takes no value, or one of its values: `--public`, `--visibility=public`. */
const SWITCH = /(?:^|\s)--(?:[a-z]{2,24}[= ])?([a-z]{3,24})(?=\s|$)/g;

function withoutComment(command: string): string {
  const at = command.search(/(?:^|\s)#/);
  return at < 0 ? command : command.slice(0, at);
}

/**
 * The commands of a line one by one, without comments and without the texts that they only carry; the last one that says a way
 * decides. A plain value is one command. The marks of a patch (`*** Begin Patch`) and the text in it say nothing of what is done.
 */
function commandsOf(value: string, ontology: Ontology): readonly string[] {
  if (isPatchEnvelope(value, ontology)) return [];
  return withoutCarriedTexts(value, ontology)
    .split(/\n|;|&&|\|\|?/)
    .map((command) => withoutComment(command).trim())
    .filter((command) => command !== '' && !words(ontology).no_way.test(command))
    .slice(0, MAX_COMMANDS);
}

/** Whether the user speaks of what the action is about, and that is no way to have something else done. */
function speaksOf(
  said: string,
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  is_state: boolean,
): boolean {
  const { process, senses } = words(ontology);
  const nouns = [...wordsOf(action.scope), ...wordsOf(action.tool_name)]
    .map(singular)
    .filter((word) => !senses.has(word));
  if (!is_state && nouns.some((word) => process.has(word))) return false;
  const heard = new Set((said.match(/[\p{L}\d]+/gu) ?? []).map(singular));
  // `{deal: "D-8"}`: a parameter may say what it is about.
  const held = parametersOf(event)
    .leaves.slice(0, 64)
    .flatMap(({ name }) => wordsOf(name.slice(0, 48)).map(singular))
    .filter((word) => !senses.has(word) && !words(ontology).parameters.has(word) && (is_state || !process.has(word)));
  if ([...nouns, ...held].some((word) => word.length > 2 && heard.has(word))) return true;
  return parametersOf(event)
    .leaves.slice(0, 64)
    .flatMap(({ value }) =>
      typeof value !== 'string'
        ? []
        : value.length <= 200
          ? [value]
          : commandsOf(value.slice(0, LONGEST_VALUE), ontology),
    )
    .some((value) => {
      const text = foldText(value).trim();
      const isTelling = text.length > 2 && text.length <= 200 && !senses.has(text);
      return (
        isTelling &&
        ((text.length > 3 && said.includes(text)) ||
          wordsOf(text)
            .slice(0, 12)
            .some((word) => word.length > 3 && !senses.has(word) && heard.has(singular(word))))
      );
    });
}
