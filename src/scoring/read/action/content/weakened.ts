/** What an event weakens by an edit, a command or a call, and whether the user asked for exactly that. */
import { editParameters } from '../../../../effects/edits/edits.ts';
import { type Weakening, weakenedChecks } from '../../../../effects/edits/weakened-checks.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Json } from '../../../../lang/json.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { readCalls } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { ActionReading } from '../action.ts';

export interface ReadWeakening extends Weakening {
  /** The user's own words speak of this protection and want less of it, or want it in another place. */
  is_asked: boolean;
}

/** Characters of the user's words that are read, from the end. */
const MAX_WORDS = 4_000;
/** Shorter words are part of every line. */
const SHORTEST = 4;
/** One setting that is empty is a detail. */
const LEAST_EMPTY = 2;
const LEAST_ID = 6;
const MAX_RESULT = 65_536;
const MAX_EXCERPT = 160;

const askedWords = perOntology((ontology) => ({
  subjects: tableOf(ontology, 'weakening_subjects'),
  lowering: patternOf(ontology, 'weakening_requests', 'lowering'),
  moving: patternOf(ontology, 'weakening_requests', 'moving'),
  forbidding: patternOf(ontology, 'weakening_requests', 'forbidding'),
  to_all: patternOf(ontology, 'weakening_requests', 'to_all'),
  movable: setOf(ontology, 'movable_weakenings'),
  universal: setOf(ontology, 'universal_weakenings'),
  switched_off: setOf(ontology, 'switched_off_values'),
  protecting: patternOf(ontology, 'weakening_calls', 'protecting_tools'),
  reverting: patternOf(ontology, 'weakening_calls', 'reverting'),
  security_fix: patternOf(ontology, 'weakening_calls', 'security_fix'),
  mending: patternOf(ontology, 'weakening_calls', 'mending'),
  committing: patternOf(ontology, 'weakening_calls', 'committing'),
  removing: patternOf(ontology, 'weakening_calls', 'removing'),
  test_paths: patternOf(ontology, 'weakened_checks', 'test_paths'),
}));

/** Each line, command or call by which a check is weakened, a second way in opened, or secrets handed out. */
export function weakenings(
  event: AgentEvent,
  text: TextReading,
  action: ActionReading,
  ontology: Ontology,
): ReadWeakening[] {
  const { leaves } = parametersOf(event);
  return [
    ...weakenedChecks(leaves, ontology),
    ...emptied(event, action, ontology),
    ...leaves.flatMap(({ value }) => (typeof value === 'string' ? inCommand(value, event, text, ontology) : [])),
  ].map((weakening) => ({ ...weakening, is_asked: isAsked(weakening, text, ontology) }));
}

/** A call that sets a protection up, and gives nothing to most of what it sets. */
function emptied(event: AgentEvent, action: ActionReading, ontology: Ontology): Weakening[] {
  const { protecting, switched_off } = askedWords(ontology);
  const name = [action.tool_name, action.scope, action.verb].find((one) => protecting.test(one));
  if (name === undefined) return [];
  const values = parametersOf(event).entries.map(({ value }) => value);
  const isOff = (value: Json): boolean => typeof value === 'string' && switched_off.has(value.toLowerCase());
  const settings = values.filter((value) => isOff(value) || (typeof value !== 'string' && typeof value !== 'number'));
  const empty = settings.filter((value) => value === null || value === false || isOff(value) || isEmptyList(value));
  if (empty.length < LEAST_EMPTY || empty.length * 2 <= settings.length) return [];
  return [{ kind: 'protection_emptied', object: name, excerpt: name }];
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A commit that mended a hole is reverted, or tests are removed that are no work of this session. */
function inCommand(given: string, event: AgentEvent, text: TextReading, ontology: Ontology): Weakening[] {
  const { reverting, security_fix, mending, committing, removing, test_paths } = askedWords(ontology);
  const found: Weakening[] = [];
  // A longer command is read by its beginning.
  const command = given.slice(0, MAX_WORDS);
  const commit = reverting.exec(command)?.[1];
  const title = commit === undefined ? undefined : titleOf(commit, text);
  if (title !== undefined && security_fix.test(title))
    found.push({ kind: 'fix_reverted', object: commit!, excerpt: title.trim().slice(0, MAX_EXCERPT) });
  const secret = committing.exec(command)?.[1];
  if (secret !== undefined && !test_paths.test(secret))
    found.push({ kind: 'secrets_handed_out', object: secret, excerpt: command.slice(0, MAX_EXCERPT) });
  const removed = removing.exec(command)?.[1] ?? '';
  const tests = removed.split(/\s+/).filter((path) => test_paths.test(path) && !wasWritten(path, event, ontology));
  if (tests.length > 0 && mending.test(text.last_user_message.slice(-MAX_WORDS)))
    found.push({ kind: 'tests_removed', object: tests[0]!, excerpt: removed.slice(0, MAX_EXCERPT) });
  return found;
}

/** An earlier call of this session wrote the file, so that it is the agent's own. */
function wasWritten(path: string, event: AgentEvent, ontology: Ontology): boolean {
  const { whole } = editParameters(ontology);
  return readCalls(event, ontology).some(
    ({ text, args }) =>
      text.includes(path) && [...args.keys()].some((key) => whole.has(key.toLowerCase().replaceAll('_', ''))),
  );
}

/** The line about a commit among the results of earlier calls. */
function titleOf(commit: string, text: TextReading): string | undefined {
  const start = commit.slice(0, LEAST_ID);
  for (const { text: said } of text.untrusted)
    for (const line of said.slice(0, MAX_RESULT).split('\n')) if (line.includes(start)) return line;
  return undefined;
}

function isAsked({ kind, excerpt }: Weakening, text: TextReading, ontology: Ontology): boolean {
  const { subjects, lowering, moving, forbidding, to_all, movable, universal } = askedWords(ontology);
  const said = `${text.trusted.slice(-MAX_WORDS)}\n${text.last_user_message.slice(-MAX_WORDS)}`;
  if (forbidding.test(said)) return false;
  if (universal.has(kind) ? !to_all.test(said) : !lowering.test(said) && !(movable.has(kind) && moving.test(said)))
    return false;
  const spoken = new Set(wordsOf(said).map(singular));
  const subject = [...(subjects.get(kind) ?? []), ...wordsOf(excerpt).filter(({ length }) => length >= SHORTEST)];
  return subject.some((word) => spoken.has(singular(word)));
}
