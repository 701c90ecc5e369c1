/** Runs one command of a shell: a known program, a program that is in no list, a file, or a name that is known only in part. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { noteConsoleCommand } from '../administered/consoles.ts';
import { noteGuardLine } from '../administered/weaker-guards.ts';
import { type Data, FOREIGN, FROM, HOLE, isKnown } from '../data.ts';
import { handKeys, keepShown } from '../deeds/network.ts';
import { copiedProgram } from '../deeds/read-file.ts';
import { runFile, runText } from '../deeds/run-code.ts';
import { REMOTE_COMMANDS } from '../effects.ts';
import { hostOfUrl, isLoopback, isUrl } from '../hosts.ts';
import { noteOutputs } from '../programs/files/outputs.ts';
import { actingNames, type KnownProgram, type Programs } from '../programs/index.ts';
import { withKept } from '../programs/kept-texts.ts';
import { noteMining } from '../programs/unlisted/by-words.ts';
import { runCommandWords, runStatementWords } from '../programs/unlisted/foreign.ts';
import { runCommandOptions } from '../programs/unlisted/handed-code.ts';
import { runHandedFiles } from '../programs/unlisted/handed-files.ts';
import { runMaterial } from '../programs/unlisted/material.ts';
import { noteServedFolder } from '../programs/unlisted/served-folders.ts';
import { noteLook, runProgramFile, runUnlisted } from '../programs/unlisted/unlisted.ts';
import type { World } from '../world.ts';
import { noteAttackScript } from './attack-scripts.ts';
import { type Call, commandWord, type Field, field, onlyExplains, programName } from './call.ts';
import { calledName, commandName, isInstalled } from './command-name.ts';

/**
 * @param first the word that names the program of the call, as it stands in the script
 * @returns what the command prints
 */
export function runCommand(first: Field, call: Call, programs: Programs): Data {
  const { name, args, excerpt, world } = call;
  const isPath = first.text.includes('/');
  world.noteCall({ program: calledName(first.text), words: args.map(commandWord), cwd: world.cwd });
  const { names, isUnsure } = commandName(first, actingNames(programs));
  if (isUnsure) return runUnsure(first, names, { ...call, name: '' }, programs);
  const program = programs.get(name);
  // A copy of another program may have the name of a program that only shows something: `cp /bin/rm ./fmt`.
  const isOwnPath = isPath && !isInstalled(first.text);
  const copied = program === undefined || isOwnPath ? copiedProgram(world, first.text) : '';
  if (copied !== '' && copied !== name && programs.has(copied))
    return call.invoke([field(copied), ...args], call.stdin);
  keepShown(world, first);
  noteConsoleCommand(call);
  noteOutputs(call);
  noteGuardLine(call, program?.isQuiet === true);
  if (first.taint & (FROM.network | FROM.service))
    world.add('downloads_and_runs', 'one', 'downloaded command', excerpt);
  else if (first.taint & FROM.decoded) world.add('obfuscates', 'one', name, excerpt);
  const taint = taintOf(call);
  if (program !== undefined || !isPath) world.noteProgram(name);
  if (program !== undefined && !isPath && onlyExplains(name, args, world.ontology)) return { text: HOLE, taint };
  if (program?.isQuiet !== true) {
    noteServedFolder(call);
    world.has_unknown = true;
    if (program === undefined || program.isInterpreter) noteAttackScript(call, program !== undefined, programs);
  }
  // A file of the same name as a program is that file.
  // Anyone who asks a new program for its version has just installed it.
  const put = !isPath && onlyExplains(name, args, world.ontology) ? '' : ownFile(world, first.text);
  if (put !== '' && (program !== undefined || !isPath)) runFile(world, put, null, excerpt);
  else if (isOwnPath && program?.isQuiet === true) runFile(world, first.text, null, excerpt);
  if (program !== undefined) {
    const out = ownStart(withKept(runProgram(program, call) ?? { text: HOLE, taint }, call), call);
    return program.isQuiet ? madeOf(out, call) : shownFromNetwork(answered(out, call), args);
  }
  if (isPath || world.files.has(world.describe(first.text).path)) {
    runProgramFile(call, first.text, null);
    noteMining(call);
  }
  handKeys(world, args, excerpt);
  if (isKnown(first) && (!isPath || isInstalled(first.text))) runUnlisted(call, (word) => isActing(word, programs));
  return shownFromNetwork(answered(withKept(madeOf({ text: HOLE, taint }, call), call), call), args);
}

/**
 * The file that these commands fetched themselves and that this word runs, whatever program has its name: by its path, or as a name
 * that is found in the folder for programs where it was put. '' where there is none.
 */
function ownFile(world: World, word: string): string {
  const isForeign = (path: string): boolean => ((world.files.get(path)?.taint ?? 0) & FROM.network) !== 0;
  if (word.includes('/')) {
    const { path } = world.describe(word);
    return world.isFetched(path) || isForeign(path) ? path : '';
  }
  for (const path of world.files.keys()) if (path.endsWith(`/bin/${word}`) && isForeign(path)) return path;
  return '';
}

/**
 * A command whose name is known only in part or not at all: does what each program would do that it may be. Where nothing
 * is known it may be a shell, which runs what is fetched or decoded and piped in, or the beginning of the command behind it.
 */
function runUnsure(first: Field, names: readonly string[], call: Call, programs: Programs): Data {
  const { args, stdin, excerpt, world } = call;
  const out = { text: HOLE, taint: taintOf(call) };
  world.unresolved ||= excerpt;
  world.has_unknown = true;
  keepShown(world, first);
  runMaterial(call, first);
  if (first.taint & (FROM.network | FROM.service))
    world.add('downloads_and_runs', 'one', 'downloaded command', excerpt);
  else if (first.taint & FROM.decoded || names.length > 0)
    world.add('obfuscates', 'one', names[0] ?? 'decoded command', excerpt);
  for (const name of names) call.invoke([field(name), ...args], stdin);
  if (names.length > 0) return out;
  const fed = stdin?.taint ?? 0;
  if (fed & FOREIGN) {
    keepShown(world, stdin!);
    if (fed & FROM.socket) world.add('opens_channel', 'one', REMOTE_COMMANDS, excerpt);
    world.add(fed & FROM.decoded ? 'obfuscates' : 'downloads_and_runs', 'one', 'unknown program', excerpt);
  }
  if (args.length > 0) runUnlisted(call, (word) => isActing(word, programs));
  return out;
}

/** Whether the code of an interpreter, or the command of a filter, runs what is piped in. */
function runsInput(isInterpreter: boolean, { name, args, world }: Call): boolean {
  const { reads_input, runs_text, filters } = inputSigns(world.ontology);
  if (isInterpreter) return args.some(({ text }) => reads_input.test(text) && runs_text.test(text));
  return filters.has(name) && args.some(({ text }) => text.split(/[;\n]/).some((one) => RUNS_LINES.test(one.trim())));
}

/** A command `1e`, or a substitution with the flag `e`. */
const RUNS_LINES = /^(?:\d{1,9}|\$)?e$|^[^;]{0,40}s[/|#,@!].{1,400}[/|#,@!][gpIiMm\d]{0,6}e[gpIiMm\d]{0,6}$/;

const inputSigns = perOntology((ontology) => ({
  reads_input: patternOf(ontology, 'script_signs', 'reads_input'),
  runs_text: patternOf(ontology, 'script_signs', 'runs_text'),
  filters: setOf(ontology, 'running_filters'),
}));

function runProgram({ run, isQuiet, isInterpreter }: KnownProgram, call: Call): Data | undefined {
  const { world, name, stdin, excerpt } = call;
  const hidden = (stdin?.taint ?? 0) & FOREIGN;
  if (hidden !== 0 && runsInput(isInterpreter, call)) runText(world, 'shell', { text: HOLE, taint: hidden }, excerpt);
  const { added, acted } = world;
  runCommandOptions(call);
  runHandedFiles(call, isInterpreter || isQuiet);
  const out = run(call);
  if (isQuiet) return out;
  const isQuery = !isInterpreter && !world.languages.has('sql');
  if (isQuery && world.acted === acted) runStatementWords(call);
  // What its reader knows nothing of may be a command for another machine or a shell; code of an interpreter is read as such.
  if (world.added === added && !isInterpreter) runCommandWords(call);
  const isUntold = world.added === added;
  if (isUntold && noteLook(call)) return out;
  if (isUntold) world.noteSilent(name);
  if (isUntold || world.acted > acted) world.noteDeed(name);
  return out;
}

/** Code that a program prints so that a shell loads it is part of the program, also of one that mostly asks a server. */
function ownStart(out: Data, { args, stdin, world }: Call): Data {
  const isOwn = stdin === null && setOf(world.ontology, 'start_code_verbs').has(args[0]?.text ?? '');
  return isOwn ? { text: out.text, taint: out.taint & ~(FROM.network | FROM.service) } : out;
}

/** What a program prints that asks a language model is text of that model, as what a server answers is text of the server. */
function answered(out: Data, { name, args, world }: Call): Data {
  const { programs, verbs, own } = modelWords(world.ontology);
  const [first = ''] = args.map(({ text }) => text).filter((text) => !text.startsWith('-'));
  const isModel = (programs.has(name) && !own.has(first)) || verbs.get(name)?.includes(first) === true;
  return isModel ? { text: out.text, taint: out.taint | FROM.network } : out;
}

export const modelWords = perOntology((ontology) => ({
  programs: setOf(ontology, 'model_programs'),
  verbs: tableOf(ontology, 'model_verbs'),
  own: setOf(ontology, 'start_code_verbs'),
}));

/** Whether this is a known program that does more than print. */
export function isActing(word: string, programs: Programs): boolean {
  return programs.get(programName(word))?.isQuiet === false;
}

/** Where the arguments and the input come from. */
function taintOf({ args, stdin }: Call): number {
  return args.reduce((t, a) => t | a.taint, stdin?.taint ?? 0);
}

/** Remembers what went into a filter of which it is not known what comes out, in case that is run. */
function madeOf(out: Data, { args, stdin, world }: Call): Data {
  if (!out.text.includes(HOLE) || out.program !== undefined) return out;
  const given = [stdin, ...args].filter((one) => one !== null && one.text !== HOLE && /[a-z]/i.test(one.text));
  for (const one of given.slice(0, 8)) world.noteMaterial(one!.text, one === stdin);
  return given.length === 0 ? out : { text: out.text, taint: out.taint | FROM.made };
}

/** A program that is given an address of another machine may print what is there. */
function shownFromNetwork(out: Data, args: readonly Field[]): Data {
  if (
    out.text !== HOLE ||
    !args.some(({ text }) => isUrl(text) && hostOfUrl(text) !== '' && !isLoopback(hostOfUrl(text)))
  )
    return out;
  return { text: out.text, taint: out.taint | FROM.network };
}
