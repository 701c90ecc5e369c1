/** Folders with nothing in them: a copy that makes its target like one of these removes all that is there. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../ontology/words.ts';
import type { World } from '../world.ts';

/** Names of empty folders, and programs that fill none. Memoized per ontology. */
export const emptyFolders = perOntology((ontology: Ontology) => ({
  names: anyOf(ontology, 'empty_folder_names'),
  makers: setOf(ontology, 'folder_makers'),
}));

/** Whether the folder is empty, by its name, or because this code made it and nothing that ran since may have filled it. */
export function isEmptyFolder(w: World, given: string): boolean {
  const { names, makers } = emptyFolders(w.ontology);
  const { path, place } = w.describe(given);
  if (place === 'null') return true;
  const folder = path.replace(/\/$/, '');
  if ([...w.files.keys()].some((file) => file.startsWith(`${folder}/`))) return false;
  const made = w.files.get(path) ?? w.files.get(folder);
  return names.test(folder) || (made?.text === '' && [...w.deeds].every((deed) => makers.has(deed)));
}
