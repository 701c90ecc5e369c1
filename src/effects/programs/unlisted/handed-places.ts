/**
 * What a program that nobody lists is handed, whatever it does with it: a store of the system's secrets, the process that keeps
 * logins, a program that anybody can put there, or a shell to start.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../../ontology/words.ts';
import { startShell } from '../../connections.ts';
import { readFile } from '../../deeds/read-file.ts';
import { PROCESS_MEMORY } from '../../effects.ts';
import { hostOfShare } from '../../hosts.ts';
import { type Call, isDryRun, isHelp } from '../../shell/call.ts';
import { isHiddenStream, isOutside } from '../../windows-places.ts';
import { runHandedObjects } from './handed-objects.ts';

/** A place from the root or a drive, alone, behind an option or a name, or inside code: `man:/etc/x`, `verbatiminput{/etc/x}`. */
const PLACE = /(?:(?<=^-[A-Za-z])|(?<![\w.~*/\\-]))(?:[A-Za-z]:)?[\\/][^\s:"'`<>|;,=(){}[\]]{3,1024}/g;

export const handedPlaces = perOntology((ontology) => ({
  keepers: patternOf(ontology, 'secret_processes', 'login'),
  programs: patternOf(ontology, 'foreign_places', 'program'),
  open: patternOf(ontology, 'foreign_places', 'open_folder'),
  shells: anyOf(ontology, 'shells_in_code'),
}));

/** Notes what the words of the command hand over. */
export function noteHandedPlaces(c: Call): void {
  const { world } = c;
  if (isHelp(c.args, world.ontology) || isDryRun(c, c.args)) return;
  runHandedObjects(c);
  const { keepers, shells } = handedPlaces(world.ontology);
  for (const { text } of world.affordable(c.args)) {
    if (keepers.test(text)) world.add('reads_credentials', 'everything', PROCESS_MEMORY, c.excerpt);
    if (shells.test(text)) startShell(world, c.excerpt);
    if (isHiddenStream(world, text)) world.add('obfuscates', 'one', text, c.excerpt);
    if (foreignProgram(c, text)) world.add('runs_by_proxy', 'one', `${c.name} ${text}`, c.excerpt);
    else noteSecretPlaces(c, text);
  }
}

/** Secrets of the system are for no program but its own, so whichever is handed their file can only read them. */
function noteSecretPlaces(c: Call, text: string): void {
  for (const [place] of text.matchAll(PLACE)) {
    if (!c.world.step(2)) return;
    const { is_credential, is_store, place: where } = c.world.describe(place);
    if (is_credential && (where === 'system' || (is_store && where === 'other'))) readFile(c.world, place, c.excerpt);
  }
}

/** Whether a program of Windows is handed a program or script from a folder that anybody writes to or from a machine outside. */
function foreignProgram({ world }: Call, text: string): boolean {
  if (!world.is_of_windows) return false;
  const { programs, open } = handedPlaces(world.ontology);
  if (!programs.test(text)) return false;
  return open.test(text) || isOutside(hostOfShare(text.replace(/^[-/]\w{1,16}[:=]/, '')));
}
