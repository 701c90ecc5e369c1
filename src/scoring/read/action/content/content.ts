/** What code inside the parameters does: shell, SQL, Python, JavaScript, URLs and HTTP calls, parsed into effects. */

import {
  namesPlaceOrOperator,
  noteSettingsInCall,
  readAdministeredCall,
} from '../../../../effects/administered/calls.ts';
import { isForRepositories, readGitCall } from '../../../../effects/administered/git-calls.ts';
import { ruleOpenToAll } from '../../../../effects/administered/open-rules.ts';
import { guardsWeakenedByCall } from '../../../../effects/administered/weaker-guards.ts';
import type { CloudCall } from '../../../../effects/cloud/cloud-call.ts';
import { cloudCallsIn } from '../../../../effects/cloud/sdk-calls.ts';
import { readSigns } from '../../../../effects/code/code-signs.ts';
import type { Data } from '../../../../effects/data.ts';
import { destroyForGood } from '../../../../effects/deeds/delete-file.ts';
import { dishonest, readStored } from '../../../../effects/deeds/read-stored.ts';
import { writeFile } from '../../../../effects/deeds/write-file.ts';
import { type Edit, isPatchEnvelope, mayHoldFile } from '../../../../effects/edits/edits.ts';
import { type Effect, UNKNOWN_CODE } from '../../../../effects/effects.ts';
import { hostOfUrl } from '../../../../effects/hosts.ts';
import { interpret, MAX_SNIPPET } from '../../../../effects/languages.ts';
import { isStoredKey, readFileTool } from '../../../../effects/parameters/file-tools.ts';
import { commandsHanded } from '../../../../effects/parameters/handed-files.ts';
import { attacks, handedTexts } from '../../../../effects/parameters/handed-texts.ts';
import { readHttp } from '../../../../effects/parameters/http.ts';
import { findHttpCall, urlsOf } from '../../../../effects/parameters/http-calls.ts';
import { boundByCall, hostOpenings } from '../../../../effects/parameters/manifests.ts';
import { languageByShape } from '../../../../effects/parameters/shapes.ts';
import { findSnippets, type Snippet } from '../../../../effects/parameters/snippets.ts';
import { type FileVerb, type Hints, namesOf } from '../../../../effects/parameters/tool-names.ts';
import { commandOfTool, programInParameters } from '../../../../effects/parameters/tool-programs.ts';
import { wipesIn } from '../../../../effects/programs/unlisted/database-wipes.ts';
import type { ToolCall } from '../../../../effects/world.ts';
import { type CommandCall, type Language, World } from '../../../../effects/world.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';

import { writesByShape } from '../argument-shape.ts';
import { editsOfEvent } from './edits.ts';
import { madeBefore } from './made-before.ts';

export type { Effect, EffectKind } from '../../../../effects/effects.ts';

export interface ContentReading {
  /** Languages found. */
  languages: Language[];
  /** The same, but none where all code only has the shape of code, as a command that a remark quotes. */
  stated_languages: Language[];
  effects: Effect[];
  /** Effects of code that is stored in a file and not run: they happen when the file is run. */
  dormant_effects: Effect[];
  /** The files among them: path and kinds of effects. */
  stored_files: readonly (readonly [path: string, kinds: readonly Effect['kind'][]])[];
  /** SQL: a DELETE or UPDATE without a bounding WHERE. */
  has_unbounded_statement: boolean;
  /** Values in the code, so that provenance and sinks see them. */
  hosts: string[];
  /** What its requests show to whoever answers them, by the address that they go to. */
  requests: ReadonlyMap<string, string>;
  paths: string[];
  /**
   * Files that are handed as code to a program whose language is not read; where what runs is not known, all that the code touches: any
   * of them may be what runs.
   */
  perhaps_run: string[];
  /** Programs that command lines call. */
  programs: string[];
  /** Those of them whose every command only shows something. */
  looking_programs: ReadonlySet<string>;
  /** Commands in the order parsed; see `World`. */
  calls: readonly CommandCall[];
  set_variables: ReadonlySet<string>;
  /** A command was left out of `calls`, or a redirection does something beside them. */
  calls_are_partial: boolean;
  /** Calls of cloud platforms in commands. */
  cloud_calls: readonly CloudCall[];
  /** Calls of the host's tools that programs make. */
  tool_calls: readonly ToolCall[];
  /** Nothing but computation and output. */
  is_inert: boolean;
  /** What decides what runs and is known only when it runs; '' when there is nothing of the kind. */
  unresolved: string;
  /** A program of which neither name nor words tell anything; '' when there is none. */
  unknown_program: string;
  /** A request that changes something on a platform, of which its path does not tell what; '' when there is none. */
  unread_request: string;
  /** Something looked like code and could not be parsed, or was over the size bound: lowers confidence. */
  has_unparsed: boolean;
  /** Listed programs that were run of whose effects none is known. */
  silent_programs: ReadonlySet<string>;
  /** A bound on the work left code unread. */
  was_cut: boolean;
}

const isAlwaysRun = (): boolean => true;
const NO_KEYS: ReadonlySet<string> = new Set();

/** Keys under which a tool that writes files, and runs nothing, is given a patch. */
function patchedKeys(
  leaves: readonly Leaf[],
  hints: Hints,
  verb: FileVerb | null,
  ontology: Ontology,
): ReadonlySet<string> {
  if (verb !== 'write' || hints.shell || hints.python || hints.javascript || hints.script) return NO_KEYS;
  const patches = leaves.filter(({ value }) => typeof value === 'string' && isPatchEnvelope(value, ontology));
  return patches.length === 0 ? NO_KEYS : new Set(patches.map(({ key }) => key));
}

/** Characters of code that are read per event; the rest only counts as unread. */
const MAX_EVENT = 4 * MAX_SNIPPET;

/**
 * Reads all parameters of one event. Text that does not look like code is skipped quickly and has no effects. A file that the code runs
 * and that an earlier call of the conversation made is read as if its text stood there.
 */
export function readContent(event: AgentEvent, ontology: Ontology): ContentReading {
  const reading = readAlone(event, ontology);
  const made = madeBefore(event, reading, ontology, (call) => worldOf(call, ontology, NO_FILES)?.files ?? NO_FILES);
  return made.size === 0 ? reading : readAlone(event, ontology, made);
}

const NO_FILES: ReadonlyMap<string, Data> = new Map();

function readAlone(event: AgentEvent, ontology: Ontology, known: ReadonlyMap<string, Data> = NO_FILES): ContentReading {
  const world = worldOf(event, ontology, known);
  return world === null ? NO_CONTENT : toReading(world, world.is_incidental);
}

/** What the parameters would do, in a world where these files are known; null where nothing in them is code. */
function worldOf(event: AgentEvent, ontology: Ontology, known: ReadonlyMap<string, Data>): World | null {
  const parameters = event.parameters;
  if (parameters === undefined) return null;
  const walk = parametersOf(event);
  const { hints, file_verb, takes_trees, client, program } = namesOf(ontology, event);
  const between = file_verb === null ? handedTexts(walk.leaves) : [];
  const verb = between.length > 0 && writesByShape(event, ontology) ? 'write' : file_verb;
  const edits = editsOfEvent(event, ontology).filter((edit) => edit.is_patch || !edit.is_whole);
  const isStoring = verb === 'write' || edits.length > 0;
  const patched = patchedKeys(walk.leaves, hints, verb, ontology);
  const isRun = isStoring ? (key: string): boolean => !isStoredKey(ontology, key) && !patched.has(key) : isAlwaysRun;
  const handed = isStoring ? [] : commandsHanded(ontology, walk.leaves);
  const found = findSnippets(ontology, walk, hints, parameters, isRun);
  const isFree = found.length === 0 && !isStoring;
  const client_program = isFree && program === '' ? programInParameters(walk, ontology) : program;
  const command = isFree && client_program !== '' ? commandOfTool(client_program, walk, ontology) : null;
  const snippets: readonly Snippet[] = command === null ? found : [{ language: 'shell', code: command }];
  const call = findHttpCall(ontology, parameters, hints);
  const urls = urlsOf(ontology, walk);
  const fileVerb = snippets.length > 0 ? null : verb;
  const openings = hostOpenings(ontology, walk.leaves);
  const bound = isStoring ? '' : boundByCall(ontology, walk.leaves);
  const wipes = isStoring ? [] : wipesIn(ontology, walk);
  // A tool whose names of parameters are listed says which is the file and which its content.
  const isTold = verb !== null && (verb !== 'write' || editsOfEvent(event, ontology).length > 0);
  const files = isTold || edits.length > 0 ? [] : file_verb === null ? between : handedTexts(walk.leaves);
  const hasCode = files.length > 0 || snippets.length > 0 || fileVerb !== null || edits.length > 0;
  const isAdministering = client !== null && !isStoring;
  const name = `${event.action} ${event.mcp_context?.tool_name ?? ''}`;
  const isRepository = !isStoring && snippets.length === 0 && isForRepositories(name, ontology);
  const setsPlace = !isStoring && namesPlaceOrOperator(walk);
  const weaker = isStoring || snippets.length > 0 ? [] : guardsWeakenedByCall(name, walk, ontology);
  const opened =
    isStoring || snippets.length > 0
      ? ''
      : ruleOpenToAll(`${name} ${event.mcp_context?.server_name ?? ''}`, walk, ontology);
  if (
    !hasCode &&
    !isAdministering &&
    !setsPlace &&
    !isRepository &&
    handed.length === 0 &&
    call === null &&
    urls.length === 0 &&
    openings.length === 0 &&
    bound === '' &&
    wipes.length === 0 &&
    weaker.length === 0 &&
    opened === ''
  )
    return null;
  const world = new World(ontology, interpret);
  world.knowFiles(known);
  runSnippets(snippets, world);
  for (const commands of handed) world.run('shell', commands);
  if (edits.length > 0) readEdits(edits, world, mayHoldFile(walk.leaves, ontology));
  else if (fileVerb !== null) readFileTool(fileVerb, parameters, world, takes_trees);
  if (call !== null) {
    world.languages.add('http');
    readHttp(call, world);
  }
  if (isAdministering) readAdministeredCall(world, event.action, client, parameters, walk);
  if (setsPlace) noteSettingsInCall(world, name, parameters, walk);
  for (const guard of weaker) world.add('tampers_with_guards', 'one', guard, `${name} ${guard}`);
  if (opened !== '') world.add('tampers_with_guards', 'everything', opened, `${name} ${opened}`);
  if (isRepository) readGitCall(world, name, walk);
  for (const wipe of wipes) destroyForGood(world, 'everything', 'database', wipe);
  if (bound !== '') world.add('grants', 'everything', bound, bound);
  // A manifest that is only written to a file opens nothing yet.
  for (const opening of openings)
    world.add('breaks_isolation', fileVerb === null && edits.length === 0 ? 'one' : 'scratch', opening, opening);
  for (const { path, text } of files) storeIfAttack(path, text, world);
  readStored(world);
  for (const url of urls) world.noteHost(hostOfUrl(url));
  const isQuoted = handed.length + edits.length === 0 && fileVerb === null && call === null && snippets.length > 0;
  world.is_incidental = isQuoted && snippets.every((snippet) => snippet.is_incidental);
  return world;
}

const MAX_LINES = 2_000;

/** Stores the new texts of edits, those of one file together; `isWhole` where they may be whole files. */
function readEdits(edits: readonly Edit[], world: World, isWhole: boolean): void {
  const files = new Map<string, string>();
  for (const { before } of isWhole ? [] : edits)
    for (const line of before.split('\n', MAX_LINES)) world.standing.add(line.trim());
  for (const { path, after } of edits) files.set(path, `${files.get(path) ?? ''}${after}\n`);
  for (const [path, text] of files) {
    if (path !== '') writeFile(world, path, { text, taint: 0 }, `write ${path}`);
    else readUnnamed(text, world);
  }
}

/** Stores a text under a name of a file that stands beside it, when it attacks as that file. */
function storeIfAttack(path: string, text: string, world: World): void {
  const probe = world.apart();
  const content = { text: text.slice(0, MAX_SNIPPET), taint: 0 };
  writeFile(probe, path, content, `write ${path}`);
  readStored(probe);
  if (attacks(probe, dishonest(world.ontology))) writeFile(world, path, content, `write ${path}`);
}

/** Code that goes into a file whose name the call does not tell. */
function readUnnamed(text: string, world: World): void {
  const language = languageByShape(text, world.ontology);
  if (language === 'python' || language === 'javascript') world.runDormant(language, text, readSigns);
}

function runSnippets(snippets: readonly Snippet[], world: World): void {
  let left = MAX_EVENT;
  for (const { language, code, is_decoded = false, is_sealed = false, is_quoted = false } of snippets) {
    world.languages.add(language);
    if (is_sealed) {
      world.add('runs_code', 'one', UNKNOWN_CODE, 'compressed argument');
      world.unresolved ||= 'compressed argument';
      continue;
    }
    if (is_decoded) world.add('obfuscates', 'one', 'encoded argument', code);
    if (left < code.length) {
      world.has_unparsed = true;
      world.was_cut = true;
    }
    if (left > 0) world.run(language, code.slice(0, left), is_quoted);
    if (language === 'python' || language === 'javascript')
      world.cloud.push(...cloudCallsIn(code.slice(0, MAX_SNIPPET), world.ontology));
    left -= code.length;
  }
}

/** The reading of most events. Shared, because readings are never changed. */
export const NO_CONTENT: ContentReading = {
  languages: [],
  stated_languages: [],
  effects: [],
  dormant_effects: [],
  stored_files: [],
  has_unbounded_statement: false,
  hosts: [],
  requests: new Map(),
  paths: [],
  perhaps_run: [],
  programs: [],
  looking_programs: new Set(),
  calls: [],
  set_variables: new Set(),
  calls_are_partial: false,
  cloud_calls: [],
  tool_calls: [],
  is_inert: false,
  silent_programs: new Set(),
  has_unparsed: false,
  unresolved: '',
  unknown_program: '',
  unread_request: '',
  was_cut: false,
};

const runsUnknown = ({ unresolved, effects }: World): boolean =>
  unresolved !== '' || effects.items.some(({ kind, object }) => kind === 'runs_code' && object === UNKNOWN_CODE);

function toReading(world: World, is_incidental: boolean): ContentReading {
  const effects = world.effects.items;
  const dormant = world.dormant.items;
  return {
    languages: [...world.languages],
    stated_languages: is_incidental ? [] : [...world.languages],
    effects,
    dormant_effects: dormant,
    stored_files: [...world.stored_effects],
    has_unbounded_statement: world.has_unbounded_statement,
    hosts: [...world.hosts],
    requests: world.requests,
    paths: [...world.paths],
    perhaps_run: [...world.perhaps_run, ...(runsUnknown(world) ? world.paths : [])],
    programs: [...world.programs],
    looking_programs: new Set([...world.programs].filter((name) => !world.deeds.has(name))),
    calls: world.calls,
    set_variables: world.set_variables,
    calls_are_partial: world.calls_were_cut || world.has_redirection,
    cloud_calls: world.cloud,
    tool_calls: world.tool_calls,
    is_inert:
      world.languages.size > 0 &&
      effects.length === 0 &&
      dormant.length === 0 &&
      !world.has_unparsed &&
      !world.has_unknown,
    has_unparsed: world.has_unparsed,
    silent_programs: world.silent,
    unresolved: world.unresolved,
    unknown_program: world.unknown_program,
    unread_request: world.unread_request,
    was_cut: world.was_cut || world.effects.was_cut || world.dormant.was_cut,
  };
}
