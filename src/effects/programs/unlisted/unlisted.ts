/** Programs that `ontology/programs/` does not list: the command they run, and what their own words say they do. */

import { alternatives } from '../../../ontology/pattern.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, listOf } from '../../../ontology/words.ts';
import { FROM } from '../../data.ts';
import { runFile } from '../../deeds/run-code.ts';
import { type Call, type Field, isDryRun, lineOf } from '../../shell/call.ts';
import { isHiddenStream } from '../../windows-places.ts';
import type { Language } from '../../world.ts';
import { noteMining, onlyLooks, readByWords } from './by-words.ts';
import { noteDatabaseWipe, noteSchemaChange } from './database-wipes.ts';
import { runForeignWords } from './foreign.ts';
import { commandOfCall, namesStranger, noteCodeAddresses, runCommandOptions, runEmbedded } from './handed-code.ts';
import { runHandedFiles } from './handed-files.ts';
import { noteHandedPlaces } from './handed-places.ts';
import { noteTakenBack } from './version-control.ts';

/** A command stands near the beginning: behind the options and operands of the program that runs it. */
const MAX_SKIPPED = 12;

export const codeOptions = perOntology((ontology) => ({
  short: anyOf(ontology, 'code_options'),
  withValue: new RegExp(`^--${alternatives(listOf(ontology, 'long_code_options'))}=(.+)$`, 's'),
  attack: anyOf(ontology, 'attack_programs'),
}));

/** Does `c` as far as its words tell. */
export function runUnlisted(c: Call, isListed: (name: string) => boolean): void {
  const { short, withValue, attack } = codeOptions(c.world.ontology);
  let isUnderstood = noteMining(c);
  runCommandOptions(c);
  runHandedFiles(c, false);
  noteHandedPlaces(c);
  if (attack.test(c.name)) c.world.add('attacks', 'one', `${c.name} ${lineOf(c)}`, c.excerpt);
  for (const [i, a] of c.args.entries()) {
    const code = short.test(a.text) ? c.args[i + 1]?.text : withValue.exec(a.text)?.[1];
    if (code === undefined || !/\s/.test(code)) continue;
    if (!runEmbedded(c, code)) c.world.run('shell', commandOfCall(code));
    isUnderstood = true;
  }
  if (!onlyLooks(c) && noteCodeAddresses(c)) isUnderstood = true;
  if (!isUnderstood && runForeignWords(c)) isUnderstood = true;
  const at = commandAt(c.args, isListed);
  if (at >= 0) c.invoke(c.args.slice(at), c.stdin);
  else if (!isUnderstood && noteLook(c)) return;
  else if (!noteTakenBack(c) && !noteDatabaseWipe(c, c.args)) {
    const act = readByWords(c);
    if (act === 'unknown' && !isUnderstood) noteUnknown(c);
    noteSchemaChange(c, act === 'destroys');
  }
  c.world.noteDeed(c.name);
}

/** Runs a program that stands in a file of its own, and notes what it is handed. `language`: that of a script, where it is told. */
export function runProgramFile(c: Call, path: string, language: Language | null): void {
  if (isHiddenStream(c.world, path)) c.world.add('obfuscates', 'one', path, c.excerpt);
  runFile(c.world, path, language, c.excerpt);
  noteHandedPlaces(c);
}

/** Notes that a command only looks, by its words; false if they do not say so. */
export function noteLook(c: Call): boolean {
  if (c.stdin !== null || !(onlyLooks(c) || isDryRun(c, c.args))) return false;
  c.world.add('reads', 'one', `${c.name} ${lineOf(c)}`, c.excerpt);
  return true;
}

/** A program of which neither its name nor its words tell anything. What is fetched or decoded and piped into it may be run. */
function noteUnknown(c: Call): void {
  c.world.unknown_program ||= c.name;
  const handed = c.args.reduce((taint, { content }) => taint | (content?.taint ?? 0), c.stdin?.taint ?? 0);
  if (handed & (FROM.network | FROM.decoded | FROM.socket) || namesStranger(c))
    c.world.add('feeds_unknown_program', 'one', c.name, c.excerpt);
}

/**
 * Where another command begins: behind `--`, else at the first operand that is a program's name. The word right behind the
 * program may as well be a sub-command of its own (`picotool reboot`); it counts as a command where an operand with a place
 * follows.
 */
function commandAt(args: readonly Field[], isListed: (name: string) => boolean): number {
  const first = args.slice(0, MAX_SKIPPED);
  const marked = first.findIndex((a) => a.text === '--');
  if (marked >= 0 && marked + 1 < args.length) return marked + 1;
  const at = first.findIndex(
    ({ text }) =>
      /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?[\w.+-]+$/.test(text) && !text.startsWith('-') && isListed(text),
  );
  return at < 0 || args[at]!.text.startsWith('/') || args.slice(at + 1).some(namesPlace) ? at : -1;
}

/** A path, an address, a wildcard or code: what a program is handed, and a sub-command's own words are not. */
function namesPlace({ text, hasGlob, taint }: Field): boolean {
  return hasGlob || taint !== 0 || /^[/~.]|\/\/|^-\w*[ce]$|\s|^\w+=/.test(text);
}
