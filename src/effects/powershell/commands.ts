/** Commands of PowerShell: aliases, cmdlets by their role or by verb and noun, programs, scripts and functions. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { FROM, HOLE } from '../data.ts';
import { copiedProgram } from '../deeds/read-file.ts';
import { REMOTE_COMMANDS, UNKNOWN_COMMAND } from '../effects.ts';
import { programsOf } from '../programs/index.ts';
import { programsThatPrintKept } from '../programs/kept-texts.ts';
import { runProgramFile, runUnlisted } from '../programs/unlisted/unlisted.ts';
import { type Call, type Field, field, programName } from '../shell/call.ts';
import { namesThatFit } from '../shell/command-name.ts';
import { listsAll, noteCmdlet } from './cmdlets.ts';
import { narrowed } from './found-files.ts';
import { noteNames } from './members.ts';
import { ROLES, type Work } from './roles.ts';
import type { Session } from './session.ts';
import { type Argument, Arguments, EMPTY, itemsOf, NOTHING, plain, unknown, type Value } from './values.ts';
import { powershellWords } from './words.ts';

export interface Command {
  name: Value;
  args: readonly Argument[];
  /** What is piped in. */
  input: Value | undefined;
  excerpt: string;
}

/** Runs a command and returns what it prints, marked where others have written it. */
export function runCommand(s: Session, c: Command): Value {
  const out = runNamed(s, c);
  const { aliases, keptTexts } = powershellWords(s.world.ontology);
  const given = c.name.text.toLowerCase();
  const name = aliases.get(given) ?? given;
  const isKept = keptTexts.some((start) => name.startsWith(start)) || programsThatPrintKept(s.world.ontology).has(name);
  return isKept ? { ...out, taint: out.taint | FROM.service } : out;
}

function runNamed(s: Session, c: Command): Value {
  const { world } = s;
  if (!world.step(6)) return NOTHING;
  const { aliases, roles, switches, valued, narrowing, chosenProcesses } = powershellWords(world.ontology);
  const given = c.name.text.toLowerCase();
  const called = s.call(given, c.args, c.input);
  if (called !== undefined) return called;
  if (given !== HOLE && (given.includes(HOLE) || (c.name.isBuilt && /[*?]/.test(given)))) return runUnsure(s, c, given);
  const isNative = hasOptionsOfUnix(c.args) && programsOf(world.ontology).has(given);
  const name =
    (isNative ? undefined : aliases.get(given)) ?? given.replace(/^.{0,256}\\(?=[a-z]{1,32}-[a-z]{1,32}$)/, '');
  if (c.name.taint & FROM.network) world.add('downloads_and_runs', 'one', 'downloaded command', c.excerpt);
  const p = new Arguments(c.args, switches, valued);
  noteNames(
    s,
    c.args.map((a) => a.value),
    c.excerpt,
  );
  // Blocks run with what is piped in; so do those of cmdlets that nothing here knows.
  let out: Value = EMPTY;
  const subject = c.input ?? EMPTY;
  for (const v of p.all.flatMap((a) => itemsOf(a.value))) if (v.block !== undefined) out = s.runEach(v.block, subject);
  // «Those whose name is streamlit» are no longer all that run.
  const isChosen = narrowing.has(name) && chosenProcesses.test(c.excerpt.trim());
  const taint = (p.taint | (c.input?.taint ?? 0) | out.taint) & ~(isChosen ? FROM.processes : 0);
  // Each number of a list was made a sign.
  if (out.items?.every(({ isBuilt }) => isBuilt === true) === true && out.items.length === c.input?.items?.length)
    return { ...out, taint };
  const role = roles.get(name);
  const work: Work = { s, name, p, input: c.input, excerpt: c.excerpt };
  if (role !== undefined) {
    const made = ROLES[role]?.(work) ?? unknown(taint);
    if (!narrowing.has(name)) return made;
    const kept = isChosen ? { ...made, taint: made.taint & ~FROM.processes } : made;
    const found = kept.found === undefined ? {} : { found: kept.found.map(narrowed) };
    return kept.isAll === true || kept.found !== undefined ? { ...kept, ...found, isAll: false } : kept;
  }
  world.has_unknown = true;
  if (runAsProgram(s, c, name, p)) return out === EMPTY ? unknown(taint) : { ...out, taint };
  if (/^[a-z]+-[a-z]\w*$/.test(name)) {
    noteCmdlet(s, name, p, c.input, c.excerpt);
    const isAll = listsAll(s, name, p) && c.input === undefined;
    return out === EMPTY ? { ...unknown(taint), isAll: isAll || c.input?.isAll === true } : { ...out, taint };
  }
  return unknown(taint);
}

/** Names of all cmdlets and programs that the ontology has. */
export const knownNames = perOntology((ontology) => {
  const { aliases, roles } = powershellWords(ontology);
  return new Set([...roles.keys(), ...aliases.values(), ...programsOf(ontology).keys()]);
});

/** A command whose name is known in part does what each cmdlet or program would do that it may be. */
function runUnsure(s: Session, c: Command, given: string): Value {
  const { world } = s;
  const names = namesThatFit(given, knownNames(world.ontology));
  world.unresolved ||= c.excerpt;
  world.has_unknown = true;
  if (names.length === 0) world.add('runs_code', 'one', UNKNOWN_COMMAND, c.excerpt);
  else world.add('obfuscates', 'one', names[0]!, c.excerpt);
  for (const name of names) runCommand(s, { ...c, name: plain(name, c.name.taint) });
  return unknown(c.name.taint | (c.input?.taint ?? 0));
}

/**
 * Whether the options are letters run together, or begin with two dashes: outside of Windows `rm`, `cp` and `ls` are the programs
 * of the system and no aliases.
 */
function hasOptionsOfUnix(args: readonly Argument[]): boolean {
  return args.some(({ name }) => name.startsWith('-') || /^(?:[rfvialhtd]{2,4})$/.test(name));
}

/** A program that the ontology lists, a script, or an unlisted program; false when the name is a cmdlet. */
function runAsProgram(s: Session, c: Command, name: string, p: Arguments): boolean {
  const { world } = s;
  const copied = programsOf(world.ontology).has(programName(name)) ? '' : copiedProgram(world, c.name.text);
  const short = programName(copied === '' ? name : copied);
  const program = programsOf(world.ontology).get(short);
  if (program !== undefined) {
    program.run(callOf(s, c, short, p));
    return true;
  }
  if (/^[a-z]+-[a-z]\w*$/.test(name)) return false;
  if (c.name.text === HOLE || c.name.text === '') {
    if (s.hasSocket) world.add('opens_channel', 'one', REMOTE_COMMANDS, c.excerpt);
    else world.add('runs_code', 'one', UNKNOWN_COMMAND, c.excerpt);
  } else if (/[\\/]/.test(c.name.text) || world.files.has(world.describe(c.name.text).path))
    runProgramFile(callOf(s, c, short, p), c.name.text, /\.ps1$/i.test(c.name.text) ? 'powershell' : null);
  else
    runUnlisted(callOf(s, c, short, p), (word) => programsOf(world.ontology).get(programName(word))?.isQuiet === false);
  return true;
}

function callOf(s: Session, c: Command, name: string, p: Arguments): Call {
  return {
    name,
    args: p.words.map(
      (v): Field => ({
        ...field(v.text, v.taint, /[*?]/.test(v.text)),
        ...(v.quoted === undefined ? {} : { quoted: v.quoted }),
      }),
    ),
    stdin: c.input ?? null,
    excerpt: c.excerpt,
    world: s.world,
    invoke: (fields) => {
      const [first, ...rest] = fields;
      if (first === undefined) return NOTHING;
      return s.nested(() =>
        runCommand(s, {
          name: plain(first.text, first.taint),
          args: rest.map((f) => ({ name: '', value: plain(f.text, f.taint) })),
          input: c.input,
          excerpt: c.excerpt,
        }),
      );
    },
    evaluate: (code) => s.run(code.text),
    variable: (variable) => s.variable(variable.toLowerCase()),
    setPositional: () => undefined,
    setVariable: (variable, value) => s.assign(variable.toLowerCase(), value ?? EMPTY),
  };
}
