/** Moves and copies files, and notes programs that get another name this way. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import { FROM, HOLE } from '../data.ts';
import type { Scope } from '../effects.ts';
import { reachBelow, reachOf } from '../paths.ts';
import { MAX_NAMES, type World } from '../world.ts';
import { noteChange } from './change-file.ts';
import { noteDelete } from './delete-file.ts';
import { programIn, readFile } from './read-file.ts';
import { writeFile } from './write-file.ts';

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Moves or renames: the old name is gone, the new one is overwritten. */
export function movePath(w: World, from: string, to: string, excerpt: string, hasGlob = false): void {
  const source = w.describe(from);
  const scope = reachOf(source, hasGlob);
  const content = w.files.get(source.path) ?? {
    text: HOLE,
    taint: source.is_credential ? FROM.secret : 0,
    ...programIn(source.path),
  };
  w.notePath(from);
  // What is moved away is not started from there any more.
  noteChange(w, source, excerpt, scope, { isIdle: true });
  const target = w.describe(to);
  // A key that only gets another name beside the old one stays where its owner alone reads it.
  const isTaken = source.is_store && folderOf(source.path) !== folderOf(target.path);
  if (source.is_credential) w.add('reads_credentials', isTaken ? 'everything' : scope, source.path, excerpt);
  // The next start of the machine empties temporary folders, so that what should last is lost there.
  const isKept = source.is_vital || source.is_treasured;
  if (target.place === 'null' || (isKept && target.place === 'scratch'))
    noteDelete(w, source, reachBelow(source), excerpt);
  // A service that no longer finds its data stops.
  else if (source.is_treasured && source.place === 'system') w.add('disrupts', 'one', source.path, excerpt);
  if (w.origins.size < MAX_NAMES) w.origins.set(target.path, source);
  writeFile(w, to, content, excerpt, scope);
}

/** Copies: reads the one, writes the other. */
export function copyPath(w: World, from: string, to: string, excerpt: string, scope: Scope = 'one'): void {
  writeFile(w, to, readFile(w, from, excerpt, scope), excerpt, scope);
  noteOtherName(w, from, to, excerpt);
  w.noteCopied(from, to);
}

/**
 * A program that runs code or talks to the network gets another name: nobody who looks for it by its name finds it. A copy into a
 * folder keeps the name, and so does one with a version behind it.
 */
function noteOtherName(w: World, from: string, to: string, excerpt: string): void {
  const { programs, links } = programNames(w.ontology);
  const name = baseName(from).replace(/\.exe$/i, '');
  if (!programs.test(name) || !(w.describe(from).place === 'system' || !/[\\/]/.test(from))) return;
  const other = baseName(to).replace(/\.exe$/i, '');
  if (other === '' || other === '.' || other === HOLE || links.test(other) || /[\\/]$/.test(to)) return;
  if (other.toLowerCase().startsWith(name.toLowerCase().replace(/[\d.]{1,8}$/, ''))) return;
  w.add('obfuscates', 'one', to, excerpt);
}

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const programNames = perOntology((ontology) => ({
  programs: patternOf(ontology, 'renamed_programs', 'programs'),
  links: patternOf(ontology, 'renamed_programs', 'links'),
}));
