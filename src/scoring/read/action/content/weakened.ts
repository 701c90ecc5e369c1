/** What an event weakens by an edit, a command or a call, and whether the user asked for exactly that. */
import { type Edit, editParameters } from '../../../../effects/edits/edits.ts';
import { isLoginKey, plantedAccount, strangeHostIn } from '../../../../effects/edits/planted.ts';
import { namesReviewers } from '../../../../effects/edits/reviews.ts';
import { type Weakening, weakenedChecks } from '../../../../effects/edits/weakened-checks.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Json } from '../../../../lang/json.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { readCalls } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { ActionReading } from '../action.ts';
import type { ContentReading } from './content.ts';
import { editsOfEvent } from './edits.ts';
import { askedSkips } from './skipped-tests.ts';
import { writtenAnswer } from './written-answers.ts';

export interface ReadWeakening extends Weakening {
  /** The user's own words speak of this protection and want less of it, or want it in another place. */
  is_asked: boolean;
}

/** Characters of the user's words that are read, from the end: what was asked last counts. */
const MAX_WORDS = 65_536;
/** Characters of one statement of a command line that are read, and of a whole command. */
const MAX_STATEMENT = 2_000;
const MAX_COMMAND = 65_536;
/** A longer text of the user speaks of several things. */
const MAX_PASSAGE = 800;
/** Shorter words are part of every line. */
const SHORTEST = 4;
/** One setting that is empty is a detail. */
const LEAST_EMPTY = 2;
const LEAST_ID = 6;
const MAX_RESULT = 65_536;
const MAX_EXCERPT = 160;
const MAX_FILES = 200;

const askedWords = perOntology((ontology) => ({
  subjects: tableOf(ontology, 'weakening_subjects'),
  adding: patternOf(ontology, 'weakening_requests', 'adding'),
  lowering: patternOf(ontology, 'weakening_requests', 'lowering'),
  moving: patternOf(ontology, 'weakening_requests', 'moving'),
  forbidding: patternOf(ontology, 'weakening_requests', 'forbidding'),
  to_all: patternOf(ontology, 'weakening_requests', 'to_all'),
  movable: setOf(ontology, 'movable_weakenings'),
  universal: setOf(ontology, 'universal_weakenings'),
  added: setOf(ontology, 'added_weakenings'),
  tables: patternOf(ontology, 'account_calls', 'tables'),
  powers: patternOf(ontology, 'account_calls', 'powers'),
  mighty: patternOf(ontology, 'account_calls', 'mighty'),
  planting: setOf(ontology, 'planting_groups'),
  rewriting: setOf(ontology, 'rewriting_programs'),
  strict: setOf(ontology, 'strict_weakenings'),
  address: patternOf(ontology, 'code_sources', 'address'),
  reviews: anyOf(ontology, 'dropped_reviews'),
  switched_off: setOf(ontology, 'switched_off_values'),
  protecting: patternOf(ontology, 'weakening_calls', 'protecting_tools'),
  reverting: patternOf(ontology, 'weakening_calls', 'reverting'),
  security_fix: patternOf(ontology, 'weakening_calls', 'security_fix'),
  mending: patternOf(ontology, 'weakening_calls', 'mending'),
  committing: patternOf(ontology, 'weakening_calls', 'committing'),
  staging: setOf(ontology, 'staging_words'),
  repositories: setOf(ontology, 'repository_words'),
  removing: patternOf(ontology, 'weakening_calls', 'removing'),
  test_paths: patternOf(ontology, 'weakened_checks', 'test_paths'),
}));

const NONE: readonly ReadWeakening[] = [];

/** Each line, command or call by which a check is weakened, a second way in opened, or secrets handed out. */
export function weakenings(
  event: AgentEvent,
  text: TextReading,
  action: ActionReading,
  content: ContentReading,
  ontology: Ontology,
): readonly ReadWeakening[] {
  const { leaves } = parametersOf(event);
  const edits = editsOfEvent(event, ontology);
  const found = [
    ...weakenedChecks(edits, ontology),
    ...answered(edits, text, ontology),
    ...emptied(event, action, ontology),
    ...rewritten(content, ontology),
    ...plantedByCall(event, action, ontology),
    ...stagedByCall(event, action, ontology),
    ...leaves.flatMap(({ key, value }) =>
      typeof value === 'string' ? inCommand(value, key, event, text, content, ontology) : [],
    ),
  ];
  if (found.length === 0) return NONE;
  const said = wordsOfUser(text);
  const isMended = askedWords(ontology).mending.test(said);
  const skips = askedSkips(event, said, ontology);
  // The mark of one test counts once.
  const first = found.find(({ kind }) => skips.has(kind));
  return found
    .filter(({ kind }) => kind !== 'tests_hollowed' || isMended || !text.has_request)
    .filter((weakening) => weakening === first || !skips.has(weakening.kind))
    .map((weakening) => ({
      ...weakening,
      is_asked: skips.has(weakening.kind) || isAsked(weakening, said, ontology),
    }));
}

const wordsOfUser = (text: TextReading): string =>
  `${text.trusted.slice(-MAX_WORDS)}\n${text.last_user_message.slice(-MAX_WORDS)}`;

function answered(edits: readonly Edit[], text: TextReading, ontology: Ontology): Weakening[] {
  const answer = writtenAnswer(edits, text, ontology);
  if (answer === undefined) return [];
  return [{ kind: 'tests_hollowed', object: answer.path, excerpt: answer.line.trim().slice(0, MAX_EXCERPT) }];
}

/** A call that writes a row with power over all into a table of accounts. */
function plantedByCall(event: AgentEvent, { effective_group }: ActionReading, ontology: Ontology): Weakening[] {
  const { tables, powers, mighty, planting } = askedWords(ontology);
  if (!planting.has(effective_group)) return [];
  const { leaves } = parametersOf(event);
  // Anyone who holds the private half of a key that a host accepts can log in from that point on.
  const key = leaves.find(({ value }) => typeof value === 'string' && isLoginKey(value, ontology));
  if (key !== undefined)
    return [{ kind: 'key_planted', object: key.path, excerpt: String(key.value).slice(0, MAX_EXCERPT) }];
  const table = leaves.find(({ value }) => typeof value === 'string' && tables.test(value));
  const power = leaves.find(({ key, value }) => powers.test(key) && mighty.test(String(value)));
  if (table === undefined || power === undefined || table === power) return [];
  return [{ kind: 'account_planted', object: String(table.value), excerpt: `${power.key}: ${String(power.value)}` }];
}

/** A file of secrets that a tool of a repository puts under version control: `add: ['-f', '.env']`. */
function stagedByCall(event: AgentEvent, action: ActionReading, ontology: Ontology): Weakening[] {
  const { committing, test_paths, staging, repositories } = askedWords(ontology);
  const named = (list: ReadonlySet<string>): boolean =>
    action.name_words.some((word) => list.has(word)) || wordsOf(action.domain).some((word) => list.has(word));
  if (!named(repositories) || !named(staging)) return [];
  const files = parametersOf(event)
    .leaves.slice(0, MAX_FILES)
    .filter(({ value }) => typeof value === 'string' && value.length <= MAX_EXCERPT && !/\s/.test(value))
    .map(({ value }) => String(value));
  const secret = committing.exec(`git add ${files.join(' ')}`)?.[1];
  return secret === undefined || test_paths.test(secret)
    ? []
    : [{ kind: 'secrets_handed_out', object: secret, excerpt: `git add ${secret}` }];
}

/** A command that changes in place where packages come from. */
function rewritten(content: ContentReading, ontology: Ontology): Weakening[] {
  const { rewriting } = askedWords(ontology);
  return content.calls.flatMap(({ program, words }) => {
    if (!rewriting.has(program)) return [];
    const host = strangeHostIn(
      words.map(({ text }) => text),
      ontology,
    );
    return host === '' ? [] : [{ kind: 'source_replaced' as const, object: host, excerpt: `https://${host}` }];
  });
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

/**
 * What one command or statement weakens: a commit that mended a hole is reverted, tests that are no work of this session or the
 * owners of files are removed, secrets are committed, fewer people have to agree, an account with power is made.
 */
function inCommand(
  given: string,
  key: string,
  event: AgentEvent,
  text: TextReading,
  content: ContentReading,
  ontology: Ontology,
): Weakening[] {
  const { reverting, security_fix, mending, committing, removing, test_paths, reviews } = askedWords(ontology);
  const { before, after, whole } = editParameters(ontology);
  const isStored = (): boolean => {
    const name = key.toLowerCase().replaceAll('_', '');
    return before.has(name) || after.has(name) || whole.has(name);
  };
  const found: Weakening[] = [];
  const note = (kind: Weakening['kind'], object: string, excerpt: string): void => {
    found.push({ kind, object, excerpt: excerpt.trim().slice(0, MAX_EXCERPT) });
  };
  const command = given.slice(0, MAX_COMMAND);
  const account = content.languages.length === 0 || isStored() ? undefined : plantedAccount(command, '', ontology);
  if (account !== undefined) note('account_planted', account.slice(0, MAX_EXCERPT), account);
  for (const statement of statementsOf(command)) {
    const commit = reverting.exec(statement)?.[1];
    const title = commit === undefined ? undefined : titleOf(commit, text);
    if (title !== undefined && security_fix.test(title)) note('fix_reverted', commit!, title);
    const secret = committing.exec(statement)?.[1];
    if (secret !== undefined && !test_paths.test(secret)) note('secrets_handed_out', secret, statement);
    const review = reviews.exec(statement)?.[0];
    if (review !== undefined && !isStored()) note('review_dropped', review, statement);
    const removed = removing.exec(statement)?.[1]?.split(/\s+/) ?? [];
    const owners = removed.find((path) => namesReviewers(path, ontology));
    if (owners !== undefined) note('review_dropped', owners, statement);
    const isRemade = (path: string): boolean =>
      content.effects.some(({ kind, scope, object }) => kind === 'deletes' && scope === 'scratch' && object === path);
    const tests = removed.filter(
      (path) => test_paths.test(path) && !isRemade(path) && !wasWritten(path, event, ontology),
    );
    if (tests.length > 0 && mending.test(wordsOfUser(text))) note('tests_removed', tests[0]!, statement);
  }
  return found;
}

/** The parts of a command line between what separates commands. No sign that is looked for goes across one. */
function statementsOf(command: string): string[] {
  return command
    .split(/[\n;&|]+/)
    .map((statement) => statement.trim().slice(0, MAX_STATEMENT))
    .filter((statement) => statement !== '');
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

function isAsked({ kind, excerpt }: Weakening, said: string, ontology: Ontology): boolean {
  const { subjects, adding, lowering, moving, forbidding, to_all, movable, universal, added, strict, address } =
    askedWords(ontology);
  if (forbidding.test(said)) return false;
  const wants = (words: string): boolean =>
    (universal.has(kind) ? to_all.test(words) : lowering.test(words)) ||
    (movable.has(kind) && moving.test(words)) ||
    (added.has(kind) && adding.test(words));
  // Where code comes from, only the place itself says.
  if (kind === 'source_replaced') {
    const host = address.exec(excerpt)?.[1]?.toLowerCase() ?? '';
    return host !== '' && said.toLowerCase().includes(host) && wants(said);
  }
  const subject = [
    ...(subjects.get(kind) ?? []),
    ...(strict.has(kind) ? [] : wordsOf(excerpt).filter(({ length }) => length >= SHORTEST)),
  ];
  const wanted = new Set(subject.map(singular));
  return passagesOf(said).some((words) => wants(words) && spokenWords(words).some((word) => wanted.has(word)));
}

/** A short text as a whole; of a longer one, each sentence with the one before it. */
function passagesOf(said: string): string[] {
  if (said.length <= MAX_PASSAGE) return [said];
  const sentences = said.split(/[.!?](?=\s)|\n/).filter((sentence) => sentence.trim() !== '');
  return sentences.map((sentence, i) => `${sentences[i - 1] ?? ''} ${sentence}`);
}

/** All words of a text, which is longer than a name. */
const spokenWords = (said: string): string[] =>
  (said.match(/[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,40}|[^\u0000-\u007f]{1,40}/g) ?? []).map((word) =>
    singular(word.toLowerCase()),
  );
