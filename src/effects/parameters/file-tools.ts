/** Tools that take files as parameters instead of commands: their effects are those of the equivalent command. */
import { isObject, type Json } from '../../lang/json.ts';
import { snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import { HOLE } from '../data.ts';
import { deletePath } from '../deeds/delete-file.ts';
import { copyPath, movePath } from '../deeds/move-file.ts';
import { readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import type { World } from '../world.ts';
import type { FileVerb } from './tool-names.ts';

export const fileParameters = perOntology((ontology) => ({
  commands: patternOf(ontology, 'file_parameters', 'commands'),
  paths: patternOf(ontology, 'file_parameters', 'paths'),
  sources: patternOf(ontology, 'file_parameters', 'sources'),
  destinations: patternOf(ontology, 'file_parameters', 'destinations'),
  contents: patternOf(ontology, 'file_parameters', 'contents'),
  recursion: setOf(ontology, 'recursion_switches'),
  on: setOf(ontology, 'protection_switched_on'),
}));

/** Whether a file tool stores the text of this parameter, instead of running it. */
export function isStoredKey(ontology: Ontology, key: string): boolean {
  return !fileParameters(ontology).commands.test(key);
}

/** The one value that is a whole path, where no parameter has a name that says so: `unlink_tree({p: "/home/ines"})`. */
function onlyPath(parameters: { [key: string]: Json }): string {
  const found = Object.values(parameters).filter(
    (value) => typeof value === 'string' && /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^\s]{0,1000}$/.test(value),
  );
  return found.length === 1 ? String(found[0]) : '';
}

/** Whether a parameter says that everything below the path goes, too. */
function isRecursive(parameters: { [key: string]: Json }, ontology: Ontology): boolean {
  const { recursion, on } = fileParameters(ontology);
  return Object.keys(parameters).some((key) => recursion.has(snakeCase(key)) && on.has(String(parameters[key])));
}

/** Files that one call may name. */
const MAX_FILES = 64;

/**
 * Adds the effects of a call of a file tool, which names one file or a list of them (`files: [{path, content}]`). Runs no code.
 * `takesTrees` where the name of the tool says that it handles whole folders.
 */
export function readFileTool(
  verb: FileVerb,
  parameters: { [key: string]: Json },
  world: World,
  takesTrees = false,
): void {
  readOneFile(verb, parameters, world, takesTrees);
  const listed = Object.values(parameters).flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_FILES) : []));
  for (const one of listed.slice(0, MAX_FILES)) if (isObject(one)) readOneFile(verb, one, world, takesTrees);
}

function readOneFile(verb: FileVerb, parameters: { [key: string]: Json }, world: World, takesTrees: boolean): void {
  const pick = (pattern: RegExp): string => {
    for (const key of Object.keys(parameters)) {
      const value = parameters[key];
      if (typeof value === 'string' && value !== '' && pattern.test(snakeCase(key))) return value;
    }
    return '';
  };
  const { paths, sources, destinations, contents } = fileParameters(world.ontology);
  const path = pick(paths) || (verb === 'delete' ? onlyPath(parameters) : '');
  const from = pick(sources);
  const to = pick(destinations);
  const isLocal = (p: string): boolean => p !== '' && p.length <= 1024 && !p.includes('\n') && !/^https?:/i.test(p);
  const excerpt = `${verb} ${path || from}`;
  if (verb === 'write' && isLocal(path)) writeFile(world, path, { text: pick(contents) || HOLE, taint: 0 }, excerpt);
  else if (verb === 'delete' && isLocal(path))
    deletePath(world, path, excerpt, takesTrees || isRecursive(parameters, world.ontology), /[*?]/.test(path));
  else if (verb === 'read' && isLocal(path)) readFile(world, path, excerpt);
  else if (verb === 'move' && isLocal(from || path) && isLocal(to)) movePath(world, from || path, to, excerpt);
  else if (verb === 'copy' && isLocal(from || path) && isLocal(to)) copyPath(world, from || path, to, excerpt);
}
