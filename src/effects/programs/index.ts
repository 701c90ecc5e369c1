/**
 * All programs that a command line may name: `ontology/programs/` says which, and the mechanism here that reads each.
 * A new program of a known kind is a name in an entry there; a new kind is an entry and a reader in one of these files.
 */

import { type Ontology, OntologyError } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { noteAdministration } from '../administered/rights.ts';
import type { Program } from '../shell/call.ts';
import { ARCHIVE_READERS } from './archives.ts';
import { BUILTIN_READERS } from './builtins.ts';
import { CLOUD_READERS } from './cloud.ts';
import { CONTAINER_READERS } from './containers.ts';
import { DATABASE_READERS } from './databases.ts';
import { NETWORK_READERS } from './fetching/network.ts';
import { REQUEST_READERS } from './fetching/requests.ts';
import { CHANGING_READERS } from './files/change-files.ts';
import { READING_READERS } from './files/read-files.ts';
import { GUARD_READERS } from './guards.ts';
import { INTERPRETER_READERS } from './interpreters.ts';
import { Knowledge, type Readers } from './knowledge.ts';
import { SCRIPT_READERS } from './script-interpreters.ts';
import { SERVICE_READERS } from './services.ts';
import { TEXT_READERS } from './text.ts';
import { TOOL_READERS } from './tools.ts';
import { noteHandedPlaces } from './unlisted/handed-places.ts';
import { VERSION_CONTROL_READERS } from './version-control.ts';
import { WINDOWS_READERS } from './windows.ts';
import { WRAPPING_READERS } from './wrappers.ts';

/** Readers of programs that do nothing but what their effects say: a script of them without any only computes and prints. */
const QUIET_READERS: Readers = { ...TEXT_READERS, ...BUILTIN_READERS, ...READING_READERS };

const READERS: Readers = {
  ...VERSION_CONTROL_READERS,
  ...TOOL_READERS,
  ...CLOUD_READERS,
  ...CONTAINER_READERS,
  ...INTERPRETER_READERS,
  ...SCRIPT_READERS,
  ...DATABASE_READERS,
  ...REQUEST_READERS,
  ...NETWORK_READERS,
  ...ARCHIVE_READERS,
  ...GUARD_READERS,
  ...SERVICE_READERS,
  ...WINDOWS_READERS,
  ...WRAPPING_READERS,
  ...CHANGING_READERS,
  ...QUIET_READERS,
};

export interface KnownProgram {
  run: Program;
  isQuiet: boolean;
  /** It runs code of a language: given, in a file, or piped in. */
  isInterpreter: boolean;
  /** It is made for attacks. */
  isOffensive: boolean;
}

/** Programs by name. */
export type Programs = ReadonlyMap<string, KnownProgram>;

/**
 * The programs of the ontology, compiled once. The loader of the ontology calls this, so that a broken entry stops the
 * service at its start.
 *
 * @throws OntologyError when an entry names an unknown reader, lacks what its reader asks for, or has what none asks for
 */
export const programsOf: (ontology: Ontology) => Programs = perOntology((ontology) => {
  const programs = new Map<string, KnownProgram>();
  const administering = new Set(ontology.lists.get('administering_readers'));
  const interpreting = new Set(ontology.lists.get('interpreting_readers'));
  const attacking = new Set(ontology.lists.get('attacking_readers'));
  const problems: string[] = [];
  for (const entry of ontology.programs) {
    const reader = Object.hasOwn(READERS, entry.reader) ? READERS[entry.reader] : undefined;
    if (reader === undefined) {
      problems.push(`${entry.where}: the reader \`${entry.reader}\` does not exist; see src/effects/programs/index.ts`);
      continue;
    }
    const knowledge = new Knowledge(entry, ontology, problems);
    const isQuiet = Object.hasOwn(QUIET_READERS, entry.reader);
    const own = isQuiet ? reader(knowledge) : withHandedPlaces(reader(knowledge));
    const run = administering.has(entry.reader) ? withAdministration(own) : own;
    knowledge.done();
    const isInterpreter = interpreting.has(entry.reader);
    const isOffensive = attacking.has(entry.reader);
    for (const name of entry.names) programs.set(name, { run, isQuiet, isInterpreter, isOffensive });
  }
  if (problems.length > 0) throw new OntologyError(problems);
  return programs;
});

/** A program whose command lines administer a service that many share. */
const withAdministration =
  (run: Program): Program =>
  (c) => {
    const out = run(c);
    noteAdministration(c);
    return out;
  };

/** A program of which its reader found nothing to tell is as little known as one that nobody lists. */
const withHandedPlaces =
  (run: Program): Program =>
  (c) => {
    const { added } = c.world;
    const out = run(c);
    if (c.world.added === added) noteHandedPlaces(c);
    return out;
  };

const actingByPrograms = new WeakMap<Programs, ReadonlySet<string>>();

/** Names of the programs that do more than print. */
export function actingNames(programs: Programs): ReadonlySet<string> {
  let acting = actingByPrograms.get(programs);
  if (acting === undefined) {
    acting = new Set([...programs].filter(([, program]) => !program.isQuiet).map(([name]) => name));
    actingByPrograms.set(programs, acting);
  }
  return acting;
}
