/** Which programs the first word of a command may stand for, where the word is a pattern, disguised or known only in part. */
import type { Word } from 'unbash';
import { Recall } from '../../lang/remember.ts';
import { HOLE } from '../data.ts';
import type { World } from '../world.ts';
import { type Field, programName } from './call.ts';

export interface CommandName {
  /** The programs, the one meant first; empty when nothing is known. */
  names: readonly string[];
  /** The word can only be known when the command runs. */
  isUnsure: boolean;
}

/** Programs that a pattern in place of a name is tried as. */
const MAX_NAMES = 4;
const MAX_PATTERN = 32;

/**
 * `/???/r[m]` is tried as the acting programs that it fits; `r${unset}m` as what remains when the unknown parts are empty, else
 * as the acting programs that begin and end as it does.
 *
 * @param acting names of the programs that do more than print
 */
export function commandName(word: Field, acting: ReadonlySet<string>): CommandName {
  const name = programName(word.text);
  if (name.includes(HOLE)) {
    const rest = name.replaceAll(HOLE, '');
    if (rest !== '' && acting.has(rest)) return { names: [rest], isUnsure: true };
    return { names: isKnownAtBothEnds(name) ? namesThatFit(name, acting) : [], isUnsure: true };
  }
  if (!word.hasGlob || !/[*?[]/.test(name)) return { names: [name], isUnsure: false };
  return { names: namesThatFit(name, acting), isUnsure: true };
}

/** What each word fits, by the names it was tried on: a word that recurs is not tried on all of them again. */
const fitting = new WeakMap<ReadonlySet<string>, Recall<readonly string[]>>();

/** The first names that fit a word with wildcards or unknown parts. */
export function namesThatFit(word: string, names: ReadonlySet<string>): readonly string[] {
  let known = fitting.get(names);
  if (known === undefined) fitting.set(names, (known = new Recall()));
  return known.get(word, () => {
    const fits = globMatcher(word.replaceAll(HOLE, '*'));
    return fits === null ? [] : [...names].filter((name) => fits.test(name)).slice(0, MAX_NAMES);
  });
}

function isKnownAtBothEnds(word: string): boolean {
  return /^[a-z]/i.test(word) && /[a-z]$/i.test(word);
}

/** A shell pattern for one name; `null` when it is too long or says nothing. */
function globMatcher(pattern: string): RegExp | null {
  if (pattern.length > MAX_PATTERN || !/[a-z]/i.test(pattern)) return null;
  const source = pattern
    .replace(/[\\^$.+(){}|]/g, '\\$&')
    .replaceAll('[!', '[^')
    .replaceAll('?', '.')
    .replace(/\*+/g, '[^/]{0,32}');
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return null;
  }
}

/** Folders of installed programs: a path into one stands for the program of that name. */
const PROGRAM_FOLDER = /^\/(?:usr\/|opt\/[\w.-]+\/)?(?:local\/)?s?bin\/[^/]+$/;

/** Whether a path leads to an installed program. */
export function isInstalled(path: string): boolean {
  return PROGRAM_FOLDER.test(path);
}

/** Notes quotes inside a name, which have no use but to hide it: `c""at`, `w'h'oami`, `r\m`. */
export function noteDisguise({ text, value }: Word, excerpt: string, world: World): void {
  if (text === value || !/^[a-z][a-z0-9_-]{1,20}$/.test(value) || /^(?:\\?[a-z][\w-]*|"[^"]*"|'[^']*')$/.test(text))
    return;
  if (/["'\\]/.test(text) && !/[$`]/.test(text)) world.add('obfuscates', 'one', value, excerpt);
}

/** Letters that the name of an installed program has. */
const PLAIN_NAME = /^[a-z0-9][a-z0-9_.+-]*$/;

/**
 * The name under which a call is kept. A file of the same name in another folder, or in other letters, is another program
 * and keeps the name that it was called by.
 */
export function calledName(text: string): string {
  const name = isInstalled(text) ? programName(text) : text;
  return PLAIN_NAME.test(name) ? name : text;
}
