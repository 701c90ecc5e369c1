/**
 * How far text from outside is trusted: by the call that brought it. Files of the user's own project and the output of the
 * agent's own commands in it are `workspace`. Everything else is `stranger`: a page, a mail, a comment, a dependency, the result
 * of a tool that is not known, and a result whose call is not in the conversation.
 *
 * The grade lifts no text above the user's words. It says only that an order or a value from there may lead to a step of
 * everyday work (`action/own-work.ts`), and never to more.
 */

import type { Effect } from '../../../effects/effects.ts';
import { interpret } from '../../../effects/languages.ts';
import { fileParameters } from '../../../effects/parameters/file-tools.ts';
import { programsOf } from '../../../effects/programs/index.ts';
import { World } from '../../../effects/world.ts';
import type { Message } from '../../../events/event.ts';
import { asciiLower, wordsOf } from '../../../lang/names.ts';
import { RecentTexts } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../ontology/words.ts';
import { verbLookup } from '../words/verb-table.ts';
import { answersById, type Call, callsIn, hasResult } from './calls.ts';
import { eventOfText, memoOf, type TextReading } from './text.ts';
import { flatten } from './transcript/flatten.ts';
import { type Segment, speakerOfRole } from './transcript/transcript.ts';

/** `workspace`: text of the user's own project. `stranger`: anybody may have written it. */
export type Grade = 'workspace' | 'stranger';

/** Characters of the commands of one conversation that are parsed; the results of the others are a stranger's. */
const MAX_PARSED = 131_072;
/** Longer commands are not parsed here. */
const MAX_COMMAND = 4_096;
/** Characters of commands whose readings are kept: the next event of a session holds nearly the same ones. */
const MAX_KEPT = 524_288;
/** Characters of a stranger's result in which names of files are looked for. */
const MAX_RESULT = 16_384;
/** Characters of the user's words in which names of programs are looked for. */
const MAX_TRUSTED = 65_536;
/** Shorter file names stand in every text. */
const SHORTEST_NAME = 4;

const wordsFor = perOntology((ontology) => {
  const readers = setOf(ontology, 'workspace_readers');
  return {
    programs: new Set([
      ...setOf(ontology, 'workspace_commands'),
      ...ontology.programs.flatMap(({ reader, names }) => (readers.has(reader) ? names : [])),
    ]),
    sources: setOf(ontology, 'workspace_sources'),
    files: setOf(ontology, 'workspace_files'),
    fillers: setOf(ontology, 'tool_filler_words'),
    servers: setOf(ontology, 'server_filler_words'),
    interpreters: setOf(ontology, 'interpreter_words'),
    commands: new Set(tableOf(ontology, 'parameter_roles').get('shell')),
    outside_effects: setOf(ontology, 'outside_effects'),
    writeless: setOf(ontology, 'writeless_tools'),
    continuing: setOf(ontology, 'continuing_tools'),
    typed: setOf(ontology, 'typed_parameters'),
    foreign: anyOf(ontology, 'foreign_paths'),
    asks_others: anyOf(ontology, 'asks_others'),
  };
});

/** The grade of text from outside. Words of the user, the system and the agent have none; ask for messages of tools only. */
export function gradeOf(segment: Segment, text: TextReading): Grade {
  return gradesOf(text).of(segment);
}

function gradesOf(text: TextReading): Grades {
  return memoOf(text).get(
    'grades',
    () => new Grades(eventOfText(text)?.conversation_history ?? [], text.ontology, text.trusted),
  );
}

/** A call's grade; `written`: the files that it may have written, null if it may have brought any. */
interface Verdict {
  grade: Grade;
  written: readonly string[] | null;
}

const WORKSPACE: Verdict = { grade: 'workspace', written: null };
const STRANGER: Verdict = { grade: 'stranger', written: null };
/** A search, a question to the user, a plan: it brings a text and leaves no file. */
const LOOKS: Verdict = { grade: 'stranger', written: [] };
/** A value that is an address on the network. */
const REMOTE = /^\s{0,8}(?!file:)[a-z][a-z0-9+.-]{1,15}:\/\//i;

const OWN_TASK = 'agent:task:';
const SHOWN = 'agent:task:read';

/**
 * Tools of the host itself for what is to be done. What notes a task or ends one answers in the host's own words; what shows a manual
 * or an answer brings a text of others. Neither leaves a file. Undefined for all other tools.
 */
function ofOwnTasks(name: string, ontology: Ontology): Verdict | undefined {
  const listed = ontology.tools.get(asciiLower(name))?.find(({ server }) => server === 'coding-agents');
  if (listed === undefined || !listed.action.startsWith(OWN_TASK)) return undefined;
  return listed.action === SHOWN ? LOOKS : WORKSPACE;
}

class Grades {
  readonly #history: readonly Message[];
  readonly #trusted: string;
  readonly #ontology: Ontology;
  #grades: Grade[] | null = null;

  constructor(history: readonly Message[], ontology: Ontology, trusted: string) {
    this.#trusted = trusted;
    this.#history = history;
    this.#ontology = ontology;
  }

  of({ index, speaker }: Segment): Grade {
    if (index < 0 || speaker !== 'tool') return 'stranger';
    this.#grades ??= gradeMessages(this.#history, new CallJudge(this.#ontology, this.#trusted), this.#ontology);
    return this.#grades[index] ?? 'stranger';
  }
}

/**
 * The grade of each message: that of the calls which it answers by their ids. Where the host gives none, that of the calls since the
 * last result, of several the lowest: of more results than calls one answers none of them, and nothing tells which.
 */
function gradeMessages(history: readonly Message[], judge: CallJudge, ontology: Ontology): Grade[] {
  const grades: Grade[] = [];
  const { answered, unexplained } = answersById(history);
  const byId = new Map<string, readonly Call[]>();
  let open: Call[] = [];
  let isAnswered = false;
  let answers = 0;
  for (const [i, message] of history.entries()) {
    const role = typeof message.role === 'string' ? message.role.trim().toLowerCase() : '';
    const speaker = speakerOfRole(role, ontology);
    const isResult = (speaker === 'tool' && role !== '') || hasResult(message);
    if (isResult) answers++;
    const paired = isResult ? answered.get(i)?.flatMap((id) => byId.get(id) ?? []) : undefined;
    const asked = paired ?? (answers <= open.length && !unexplained.has(i) ? open : []);
    const isAsked = isResult && asked.length > 0;
    grades.push(isAsked && asked.every((call) => judge.isWorkspace(call)) ? 'workspace' : 'stranger');
    if (isResult) {
      isAnswered = true;
      if (grades[i] === 'stranger') judge.noteForeign(paired ?? open, message);
    } else if (speaker === 'agent') {
      if (isAnswered) answers = 0;
      const made = callsIn(message, i);
      // Calls of one message with one id cannot be told apart, so a result of them has the lowest grade of all.
      for (const [id, calls] of callsById(made)) byId.set(id, calls);
      open = [...(isAnswered ? [] : open), ...made];
      isAnswered = false;
    } else open = [];
  }
  return grades;
}

/** The calls of one message that have an id, by it. */
function callsById(made: readonly Call[]): ReadonlyMap<string, Call[]> {
  const found = new Map<string, Call[]>();
  for (const call of made) {
    const same = found.get(call.id);
    if (same !== undefined) same.push(call);
    else if (call.id !== '') found.set(call.id, [call]);
  }
  return found;
}

/** Words of a tool's name: an interpreter's name is one word (`PowerShell`), and a version says nothing (`edit_file_v2`). */
export function toolWords(name: string, ontology: Ontology): readonly string[] {
  const whole = asciiLower(name);
  if (wordsFor(ontology).interpreters.has(whole)) return [whole];
  const words = wordsOf(name);
  const isVersioned = words.length > 2 && words.at(-2) === 'v' && /^\d+$/.test(words.at(-1)!);
  return isVersioned ? words.slice(0, -2) : words;
}

/** Whether every word of a tool's name speaks of the project, of files, or of what is done: `gdrive_read_file` does not. */
export function worksOnProject(named: readonly string[], ontology: Ontology): boolean {
  const { sources, files, fillers, servers, interpreters } = wordsFor(ontology);
  const lookup = verbLookup(ontology);
  const isKnown = (word: string): boolean =>
    sources.has(word) || files.has(word) || fillers.has(word) || servers.has(word) || interpreters.has(word);
  return named.length > 0 && named.every((word) => isKnown(word) || lookup.words.has(word));
}

/** Keys that end a command which the agent started, or its input, and say nothing to it: Ctrl-C, Ctrl-D. */
export const isInterrupt = (typed: string): boolean => INTERRUPT.test(typed);
const INTERRUPT = /^[\u0003\u0004]{1,4}$/;

/** Names of the programs with which people work on a project. */
export const workspacePrograms = (ontology: Ontology): ReadonlySet<string> => wordsFor(ontology).programs;

/** What a command does, as far as its grade needs it. Nothing but the command and the ontology decides it. */
interface CommandReading {
  items: readonly Effect[];
  paths: readonly string[];
  /** Programs that are none of the project's work by the lists. */
  unlisted: readonly string[];
  /** Reaches another machine, asks a registry, or was not read whole. */
  is_remote: boolean;
  has_unparsed: boolean;
}

const readCommand = perOntology(() => new RecentTexts<CommandReading>(MAX_KEPT, MAX_COMMAND));

function commandReading(command: string, ontology: Ontology): CommandReading {
  const { programs, asks_others } = wordsFor(ontology);
  const world = new World(ontology, interpret);
  world.run('shell', command);
  return {
    items: world.effects.items,
    paths: [...world.paths],
    unlisted: [...world.programs].filter((name) => !programs.has(name)),
    is_remote: world.hosts.size > 0 || world.was_cut || asks_others.test(asciiLower(command)),
    has_unparsed: world.has_unparsed,
  };
}

class CallJudge {
  readonly #ontology: Ontology;
  /** Texts in which strangers' calls name files: such a file holds a stranger's text. */
  readonly #foreign: string[] = [];
  /** Calls that were judged; those of a stranger with the files that they write, if these are known. */
  readonly #known = new Map<Call, Verdict>();
  #parsed = 0;
  readonly #trusted: string;
  #named: ReadonlySet<string> | null = null;
  /** Every command so far was the workspace's own. */
  #ranOwnOnly = true;

  constructor(ontology: Ontology, trusted: string) {
    this.#ontology = ontology;
    this.#trusted = trusted;
  }

  /** Remembers what the calls of a stranger's result brought: every file that they or the result may have named. */
  noteForeign(calls: readonly Call[], { content }: Message): void {
    for (const call of calls) {
      const { grade, written } = this.#verdictOf(call);
      if (grade === 'stranger') this.#foreign.push(...(written ?? [call.text, flatten(content).slice(0, MAX_RESULT)]));
    }
  }

  isWorkspace(call: Call): boolean {
    return this.#verdictOf(call).grade === 'workspace';
  }

  #verdictOf(call: Call): Verdict {
    let known = this.#known.get(call);
    if (known === undefined) this.#known.set(call, (known = this.#judge(call)));
    return known;
  }

  #judge({ name, args, text }: Call): Verdict {
    const words = wordsFor(this.#ontology);
    const named = toolWords(name, this.#ontology);
    const of_task = ofOwnTasks(name, this.#ontology);
    if (of_task !== undefined) return of_task;
    // It shows more of what a command prints, and nothing tells of which. What is typed into one may do anything.
    if (words.continuing.has(asciiLower(name)))
      return [...args].some(([key, value]) => words.typed.has(key) && value.trim() !== '' && !isInterrupt(value))
        ? STRANGER
        : this.#ranOwnOnly
          ? WORKSPACE
          : LOOKS;
    if (!worksOnProject(named, this.#ontology))
      return named.some((word) => words.writeless.has(word)) ? LOOKS : STRANGER;
    const { paths } = fileParameters(this.#ontology);
    let path: string | undefined;
    let command: string | undefined;
    for (const [key, value] of args) {
      if (REMOTE.test(value)) return STRANGER;
      if (path === undefined && paths.test(key)) path = value;
      if (command === undefined && words.commands.has(key)) command = value;
    }
    if (args.size === 0 && text.includes('://')) return STRANGER;
    if (path !== undefined && this.#isForeignPath(path)) return STRANGER;
    // The `command` of an editor is the name of what it does.
    if (command !== undefined && path === undefined) return this.#judgeCommand(command);
    return path !== undefined || named.some((word) => words.sources.has(word)) ? WORKSPACE : STRANGER;
  }

  #isForeignPath(path: string): boolean {
    if (wordsFor(this.#ontology).foreign.test(path.replaceAll('\\', '/'))) return true;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return name.length >= SHORTEST_NAME && this.#foreign.some((text) => text.includes(name));
  }

  /** A command is the workspace's own if it runs only programs of the project's work and takes in nothing from elsewhere. */
  #judgeCommand(command: string): Verdict {
    const verdict = this.#verdictOnCommand(command);
    if (verdict.grade !== 'workspace') this.#ranOwnOnly = false;
    return verdict;
  }

  #verdictOnCommand(command: string): Verdict {
    if (command.length > MAX_COMMAND || this.#parsed > MAX_PARSED) return STRANGER;
    this.#parsed += command.length;
    const { programs, outside_effects } = wordsFor(this.#ontology);
    const { items, paths, unlisted, is_remote, has_unparsed } = readCommand(this.#ontology).get(command, (text) =>
      commandReading(text, this.#ontology),
    );
    if (is_remote) return STRANGER;
    const isOutside = ({ kind, object }: Effect): boolean => outside_effects.has(kind) && !programs.has(object);
    if (items.some(isOutside) || paths.some((path) => this.#isForeignPath(path))) return STRANGER;
    if (!has_unparsed && unlisted.every((name) => this.#isUsers(name))) return WORKSPACE;
    return { grade: 'stranger', written: items.filter(({ kind }) => kind === 'writes').map(({ object }) => object) };
  }

  /** A program that nobody lists is the project's own if the user speaks of it. A listed one is what its list says. */
  #isUsers(name: string): boolean {
    if (name.length < SHORTEST_NAME || programsOf(this.#ontology).has(name)) return false;
    this.#named ??= new Set(this.#trusted.slice(0, MAX_TRUSTED).match(/[\w.+-]+/g) ?? []);
    return this.#named.has(name);
  }
}
