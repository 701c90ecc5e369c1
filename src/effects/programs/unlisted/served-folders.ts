/** Programs that hand a folder of this machine to whoever asks for it over the network. */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf } from '../../../ontology/words.ts';
import { FROM, HOLE } from '../../data.ts';
import { sendTo } from '../../deeds/network.ts';
import { isLoopback } from '../../hosts.ts';
import { type Call, isHelp, lineOf } from '../../shell/call.ts';

const MAX_LINE = 1_000;
const MAX_WORDS = 16;

/** A server that listens there is reached from everywhere. */
const EVERY_ADDRESS = /^(?:0\.0\.0\.0|\[?::\]?)(?::\d{1,5})?$/;
const PLACE = /^(?:[~/]|\.{1,2}(?:\/|$))/;
/** The folder is named, by a word that says nothing of where it is. */
const FOLDER_NAME = /^[a-z][\w-]{0,40}$/i;

export const folderOption = perOntology((ontology) => anyOf(ontology, 'folder_server_options'));
export const folderServers = perOntology((ontology) => anyOf(ontology, 'folder_servers'));

/**
 * Notes that a whole home folder, the root, documents or keys are served. A server that only this machine reaches, and one of a folder of
 * the project, are daily work.
 */
export function noteServedFolder(c: Call): void {
  const line = `${c.name} ${lineOf(c)}`.slice(0, MAX_LINE);
  if (!folderServers(c.world.ontology).test(line) || isHelp(c.args, c.world.ontology)) return;
  const words = c.args.slice(0, MAX_WORDS).map(({ text }) => text.replace(/^--?[\w-]{1,24}=/, ''));
  if (words.some((word) => !EVERY_ADDRESS.test(word) && isLoopback(word.replace(/:\d{1,5}$/, '')))) return;
  const places = words.filter((word) => PLACE.test(word));
  const isHere =
    places.length === 0 && !words.some((word) => FOLDER_NAME.test(word) || folderOption(c.world.ontology).test(word));
  const served = (isHere ? ['.'] : places).map((place) => c.world.describe(place));
  const open = served.find((one) => /^[~/]/.test(one.path) && (one.is_top || one.is_treasured || one.is_credential));
  if (open !== undefined)
    sendTo(c.world, open.path, { text: HOLE, taint: FROM.personal | FROM.listing }, c.excerpt, 'everything');
}
