/** Edits of files among the parameters of a call: replaced texts, unified diffs, and the patches of agents. */

import type { Leaf } from '../../events/parameters.ts';
import { parentOf } from '../../events/parameters.ts';
import { remembering } from '../../lang/remember.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import { editsOfCommand } from './command-edits.ts';

export interface Edit {
  /** The file, '' when the call names none. */
  path: string;
  before: string;
  after: string;
  /** Whole content that is written, with nothing to compare it with. */
  is_whole: boolean;
  /** It stands in a diff or patch. */
  is_patch: boolean;
}

const MAX_TEXT = 64 * 1024;
const MAX_EDITS = 64;

export const editParameters = perOntology((ontology) => ({
  before: setOf(ontology, 'edit_before_parameters'),
  after: setOf(ontology, 'edit_after_parameters'),
  whole: setOf(ontology, 'edit_whole_parameters'),
  patch: setOf(ontology, 'edit_patch_parameters'),
  named: setOf(ontology, 'edit_diff_parameters'),
  path: setOf(ontology, 'edit_path_parameters'),
  header: patternOf(ontology, 'patch_lines', 'header'),
  hunk: patternOf(ontology, 'patch_lines', 'hunk'),
  patchStart: patternOf(ontology, 'patch_lines', 'start'),
  envelope: patternOf(ontology, 'patch_lines', 'envelope'),
  search: patternOf(ontology, 'patch_lines', 'search'),
  divider: patternOf(ontology, 'patch_lines', 'divider'),
  replace: patternOf(ontology, 'patch_lines', 'replace'),
}));

const plain = remembering((key) => key.toLowerCase().replaceAll('_', ''));

/** The edits of a call, in order. Empty for most calls, after one look at the names of their parameters. */
export function editsOf(leaves: readonly Leaf[], ontology: Ontology): Edit[] {
  const { before, after, whole, patch, named, path, envelope } = editParameters(ontology);
  const edits: Edit[] = [];
  let first = '';
  /** Of a list of files, each object names its own. */
  const files = new Map<string, string>();
  const old = new Map<string, string>();
  for (const leaf of leaves) {
    if (typeof leaf.value !== 'string') continue;
    const key = plain(leaf.key);
    if (path.has(key)) {
      if (first === '') first = leaf.value;
      if (!files.has(parentOf(leaf.path))) files.set(parentOf(leaf.path), leaf.value);
    } else if (before.has(key)) old.set(parentOf(leaf.path), leaf.value);
  }
  for (const leaf of leaves) {
    if (typeof leaf.value !== 'string' || edits.length >= MAX_EDITS) continue;
    const key = plain(leaf.key);
    const value = leaf.value.slice(0, MAX_TEXT);
    edits.push(...editsOfCommand(value, ontology));
    const file = files.get(parentOf(leaf.path)) ?? first;
    const blocks = patch.has(key) ? searchBlocks(value, file, ontology) : [];
    if (blocks.length > 0) edits.push(...blocks.slice(0, MAX_EDITS));
    else if (envelope.test(value)) edits.push(...patchedFiles(value, file, ontology));
    else if (patch.has(key) && (isPatch(value, ontology) || (named.has(key) && /^[+-]/m.test(value))))
      edits.push(...patchedFiles(value, file, ontology));
    else if (after.has(key) && (old.has(parentOf(leaf.path)) || !whole.has(key)))
      edits.push({
        path: file,
        before: old.get(parentOf(leaf.path)) ?? '',
        after: value,
        is_whole: false,
        is_patch: false,
      });
    else if (whole.has(key) && file !== '')
      edits.push({ path: file, before: '', after: value, is_whole: true, is_patch: false });
  }
  return edits;
}

/** Whether a parameter may hold a whole file: what stands beside it as the old text then vouches for nothing. */
export function mayHoldFile(leaves: readonly Leaf[], ontology: Ontology): boolean {
  const { whole } = editParameters(ontology);
  return leaves.some(({ key }) => whole.has(plain(key)));
}

/** A patch of agents by its own first line, under whatever key: hosts hand it over as the `command` of the tool, too. */
export const isPatchEnvelope = (text: string, ontology: Ontology): boolean =>
  editParameters(ontology).envelope.test(text);

function isPatch(text: string, ontology: Ontology): boolean {
  return editParameters(ontology).patchStart.test(text);
}

/** The blocks of a text that give the old text and the new one: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`. */
function searchBlocks(text: string, file: string, ontology: Ontology): Edit[] {
  const { search, divider, replace } = editParameters(ontology);
  if (!text.includes('SEARCH')) return [];
  const edits: Edit[] = [];
  let now: Edit | null = null;
  let isNew = false;
  for (const line of text.split('\n')) {
    if (search.test(line)) {
      now = { path: file, before: '', after: '', is_whole: false, is_patch: true };
      isNew = false;
    } else if (now === null) continue;
    else if (!isNew && divider.test(line)) isNew = true;
    else if (isNew && replace.test(line)) {
      edits.push(now);
      now = null;
    } else if (isNew) now.after += `${line}\n`;
    else now.before += `${line}\n`;
  }
  return edits;
}

/** The files of a patch: the lines without sign stand on both sides. */
function patchedFiles(patch: string, file: string, ontology: Ontology): Edit[] {
  const { header: headerLine, hunk } = editParameters(ontology);
  const edits: Edit[] = [];
  let now: Edit | null = null;
  for (const line of patch.split('\n')) {
    const header = headerLine.exec(line);
    if (header !== null) {
      const path = header[1]!.trim();
      if (now !== null && now.path === path && now.after === '') continue;
      now = { path, before: '', after: '', is_whole: line.startsWith('*** Add File'), is_patch: true };
      edits.push(now);
    } else if (!hunk.test(line)) {
      if (now === null) {
        now = { path: file, before: '', after: '', is_whole: false, is_patch: true };
        edits.push(now);
      }
      if (line.startsWith('+')) now.after += `${line.slice(1)}\n`;
      else if (line.startsWith('-')) now.before += `${line.slice(1)}\n`;
      else {
        now.before += `${line.slice(1)}\n`;
        now.after += `${line.slice(1)}\n`;
      }
    }
  }
  return edits;
}
