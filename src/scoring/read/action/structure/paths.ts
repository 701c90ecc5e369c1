/** What kinds of places a path is in: where it lies, and what of note it is. */
import { HOLE } from '../../../../effects/data.ts';
import { PathTraits } from '../../../../effects/paths.ts';
import type { CommandCall, CommandWord } from '../../../../effects/world.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { isPlain } from './words.ts';

/** A wildcard before the last name, braces and variables stand for folders that are not known. */
const OPEN = /[{}$`]|[*?[][^/]*\//;
const MAX_LENGTH = 1_000;

/** The classes of one path; `null` where the text does not say which path it is. */
export function classesOf(raw: string, cwd: string, ontology: Ontology): readonly string[] | null {
  if (raw === '' || raw.length > MAX_LENGTH || raw.includes(HOLE) || cwd.includes(HOLE) || OPEN.test(raw)) return null;
  if (raw.includes('://') || raw.startsWith('\\\\')) return null;
  const path = new PathTraits(raw, cwd, ontology);
  const is_rooted = /^[/~]/.test(path.path);
  if (is_rooted && /[*?[]/.test(path.path)) return null;
  const classes = [placeOf(path, is_rooted)];
  if (path.is_credential) classes.push('credential');
  if (path.is_agent) classes.push('agent_file');
  if (path.is_start) classes.push('start_file');
  if (path.is_log) classes.push('log');
  if (path.is_guard) classes.push('guard');
  if (path.is_account) classes.push('account');
  if (path.is_recovery) classes.push('backup');
  if (path.is_repository) classes.push('repository');
  if (path.is_personal) classes.push('personal');
  if (path.names_package_source) classes.push('package_source');
  if (path.is_device) classes.push('device');
  return classes;
}

function placeOf({ path, place, is_top }: PathTraits, is_rooted: boolean): string {
  if (place === 'null') return 'null_device';
  if (is_rooted) {
    if (place === 'system') return 'system';
    if (path.startsWith('~')) return 'home';
    return place === 'scratch' && /^\/(?:var\/)?tmp\/[^*?[]/.test(path) ? 'scratch' : 'other';
  }
  // Above the folder that the line runs in, or that folder as a whole.
  if (path.startsWith('..')) return 'other';
  if (is_top || path === '.' || path === '*') return 'whole_workspace';
  return place === 'scratch' ? 'build_output' : 'workspace';
}

/** The classes of all words of a program whose words are paths; `null` where one of them is not known. */
export function classesOfCall({ words, cwd }: CommandCall, ontology: Ontology): readonly string[] | null {
  const found: string[] = [];
  for (const word of words) {
    const path = pathOf(word);
    if (path === '') continue;
    const classes = path === null ? null : classesOf(path, cwd, ontology);
    if (classes === null) return null;
    found.push(...classes);
  }
  return found;
}

/** The path in a word, `''` for an option without one; `null` where an option may hold one in a form of its own. */
function pathOf(word: CommandWord): string | null {
  const { text } = word;
  if (!word.is_known || (!isPlain(word) && text.startsWith('-'))) return null;
  if (!text.startsWith('-')) return text;
  const equals = text.indexOf('=');
  if (text.startsWith('--') && equals > 0) return text.slice(equals + 1);
  return /^-{1,2}[A-Za-z-]{0,32}$/.test(text) ? '' : null;
}
