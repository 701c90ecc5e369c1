/** Whether an action removes only what the agent itself made before, in calls that the conversation records. */
import { fileParameters } from '../../../effects/parameters/file-tools.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import { standsAlone } from '../../../lang/stands-alone.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { type Call, readCalls, sureResults } from '../conversation/calls.ts';
import { verbOfName } from '../words/verb-lookup.ts';
import { verbLookup } from '../words/verb-table.ts';
import { type ObjectParts, objectNames } from './asked/object-names.ts';

const words = perOntology((ontology) => ({
  making: anyOf(ontology, 'making_commands'),
  interpreters: setOf(ontology, 'interpreter_words'),
  reusing: anyOf(ontology, 'reusing_commands'),
  reused: new RegExp(patternOf(ontology, 'reused_parts', 'any').source, 'gi'),
  failed: anyOf(ontology, 'making_failed'),
}));

const MAX_NAMES = 16;
/** Characters of code in which the kind of what is removed is looked for. */
const MAX_CODE = 4_096;
/** Shorter names stand in any text. */
const SHORTEST = 4;
/** What a call that makes something returns is short; a longer answer may name anything. */
const LONGEST_ANSWER = 600;

/**
 * False where one of the names cannot be told, is not a name of its own, or stands in no such call: text from outside makes nothing,
 * and a call that would take what is there already (`IF NOT EXISTS`) proves nothing.
 */
export function removesOwnMake(parts: ObjectParts & { action: ActionReading }): boolean {
  const { event, ontology, action, content } = parts;
  const isRemoval = action.effective_group === 'delete' || action.verbs.includes('archive');
  if (!isRemoval && !content.effects.some(({ kind }) => REMOVING.has(kind))) return false;
  const names = objectNames(parts);
  if (names === null || names.length === 0 || names.length > MAX_NAMES) return false;
  if (names.some((name) => name.length < SHORTEST || /[*?%]/.test(name)) || !names.some((name) => /[\d_-]/.test(name)))
    return false;
  const calls = readCalls(event, ontology);
  const given = parametersOf(event).leaves.map(({ value }) => String(value));
  const own = new Set(given);
  // A command that is the same is this one, run before.
  const isSame = ({ args }: Call): boolean => args.size > 0 && [...args.values()].every((value) => own.has(value));
  const isCode = content.languages.length > 0;
  const code_words = isCode ? new Set(given.flatMap((value) => wordsOf(value.slice(0, MAX_CODE))).map(singular)) : null;
  const made = calls.filter((call) => !(isCode && isSame(call)) && makes(call, action, code_words, ontology));
  return names.every((name) => made.some((call) => isOf(name, call, sureResults(call, calls), ontology)));
}

const REMOVING: ReadonlySet<string> = new Set(['deletes', 'destroys_data']);

/** @param code_words words of the code that removes; null: a call of a tool removes */
function makes(call: Call, action: ActionReading, code_words: ReadonlySet<string> | null, ontology: Ontology): boolean {
  const { making, reusing, failed } = words(ontology);
  const { name, text, results } = call;
  const { paths } = fileParameters(ontology);
  // A note may hold the words of any command, and so may the name of a file that is read.
  const given = runsCommands(name, ontology)
    ? [...call.args].flatMap(([key, value]) => (paths.test(key) ? [] : value))
    : [];
  if (results.length === 0 || results.some((result) => failed.test(result)) || reusing.test(text)) return false;
  const isCommand = making.test(
    `${name} ${call.args.size === 0 && runsCommands(name, ontology) ? text : given.join(' ')}`,
  );
  if (isCommand && code_words !== null) return true;
  if (!isCommand && verbOfName(name, verbLookup(ontology))?.group !== 'create') return false;
  return sharesNoun(name, code_words ?? new Set(action.name_words.map(singular)));
}

/** Whether a tool of this name runs what it is given: `Bash`, `execute_command`. */
const runsCommands = (name: string, ontology: Ontology): boolean =>
  wordsOf(name).some((word) => words(ontology).interpreters.has(word)) ||
  verbOfName(name, verbLookup(ontology))?.group === 'execute';

/** `delete_branch` removes what `create_branch` made, and no repository. A note that names a branch has made none. */
const sharesNoun = (maker: string, words_of_removal: ReadonlySet<string>): boolean =>
  wordsOf(maker)
    .slice(1)
    .some((word) => words_of_removal.has(singular(word)));

/** Of several answers to several calls only the first is looked at. */
const isOf = (name: string, { text }: Call, [answer = '']: readonly string[], ontology: Ontology): boolean =>
  standsAlone(name, text.replace(words(ontology).reused, ' ')) ||
  (answer.length <= LONGEST_ANSWER && standsAlone(name, answer));
