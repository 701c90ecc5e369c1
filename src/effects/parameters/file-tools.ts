/** Tools that handle files by parameters instead of commands: the same deeds on the same paths. */
import type { Json } from '../../lang/json.ts';
import { HOLE } from '../data.ts';
import { copyPath, deletePath, movePath, readFile, writeFile } from '../deeds.ts';
import type { World } from '../world.ts';
import type { FileVerb } from './tool-names.ts';

const PATHS =
  /^(?:path|paths?|file_?path|filepath|file|filename|file_name|target_file|absolute_path|dir|directory|folder|relative_workspace_path|uri)$/i;
const SOURCES = /^(?:source|src|from|old_path|source_path|from_path|original_path)$/i;
const TARGETS = /^(?:destination|dest|dst|to|new_path|target|destination_path|to_path|target_path|new_name)$/i;
const CONTENTS =
  /^(?:content|contents|text|file_text|new_str|new_string|new_content|code|code_edit|data|body|replacement|insert_text|patch|diff|value)$/i;

/** Does this parameter hold what a file tool stores? Such text is not run by the call. */
export function isStoredKey(key: string): boolean {
  return !/^(?:command|cmd|shell|bash|exec|run)$/i.test(key);
}

/** The path alone is looked at, nothing is run. */
export function readFileTool(verb: FileVerb, parameters: { [key: string]: Json }, world: World): void {
  const pick = (pattern: RegExp): string => {
    for (const key of Object.keys(parameters)) {
      const value = parameters[key];
      if (typeof value === 'string' && value !== '' && pattern.test(key)) return value;
    }
    return '';
  };
  const path = pick(PATHS);
  const from = pick(SOURCES);
  const to = pick(TARGETS);
  const isLocal = (p: string): boolean => p !== '' && p.length <= 1024 && !p.includes('\n') && !/^https?:/i.test(p);
  const excerpt = `${verb} ${path || from}`;
  if (verb === 'write' && isLocal(path)) writeFile(world, path, { text: pick(CONTENTS) || HOLE, taint: 0 }, excerpt);
  else if (verb === 'delete' && isLocal(path))
    deletePath(world, path, excerpt, parameters['recursive'] === true, /[*?]/.test(path));
  else if (verb === 'read' && isLocal(path)) readFile(world, path, excerpt);
  else if (verb === 'move' && isLocal(from || path) && isLocal(to)) movePath(world, from || path, to, excerpt);
  else if (verb === 'copy' && isLocal(from || path) && isLocal(to)) copyPath(world, from || path, to, excerpt);
}
