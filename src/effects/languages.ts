/** Dispatches code to the reader of its language. Only this file imports all readers, because languages run each other. */
import { readCmd } from './cmd/cmd.ts';
import { readJavascript } from './javascript/javascript.ts';
import { dialectOf } from './parameters/dialects.ts';
import { readPowershell } from './powershell/powershell.ts';
import { noteWipesInCode } from './programs/unlisted/database-wipes.ts';
import { noteTakenAway } from './programs/unlisted/foreign-files.ts';
import { readPython } from './python/python.ts';
import { readScript } from './script/script.ts';
import { readShell } from './shell/shell.ts';
import { readSql } from './sql/sql.ts';
import type { Language, World } from './world.ts';

const READERS: Readonly<Record<Exclude<Language, 'http'>, (code: string, world: World) => void>> = {
  shell: readShell,
  powershell: readPowershell,
  cmd: readCmd,
  python: readPython,
  javascript: readJavascript,
  sql: readSql,
  script: readScript,
};

/** Languages whose libraries talk to databases. */
const CALLING: ReadonlySet<Language> = new Set<Language>(['python', 'javascript', 'script']);

/** Other languages keep what the one has that runs them, but a shell is of another system. */
const OF_WINDOWS: ReadonlySet<Language> = new Set<Language>(['cmd', 'powershell']);

/** Characters of one piece of code that are read. Of all pieces of an event, four times as many are read. */
export const MAX_SNIPPET = 64 * 1024;

/** Reads a piece of code into the world. If a reader throws, the code only counts as not fully read. */
export function interpret(given: Language, code: string, world: World, is_told = false): void {
  if (given === 'http') return;
  const language = given === 'shell' && !is_told ? dialectOf(code, world.ontology) : given;
  if (code.length > MAX_SNIPPET) {
    world.has_unparsed = true;
    world.was_cut = true;
  }
  const before = world.cwd;
  const wasOfWindows = world.is_of_windows;
  world.is_of_windows = OF_WINDOWS.has(language) || (wasOfWindows && language !== 'shell');
  try {
    READERS[language](code.slice(0, MAX_SNIPPET), world);
    if (CALLING.has(language)) noteWipesInCode(world, code);
    if (language === 'script') noteTakenAway(world, code);
  } catch {
    world.has_unparsed = true;
    world.was_cut = true;
  }
  world.is_of_windows = wasOfWindows;
  if (language !== 'shell') world.cwd = before;
}
