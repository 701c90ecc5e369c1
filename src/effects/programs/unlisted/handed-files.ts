/**
 * Files of code that a program is handed, whatever its language: the value of an option that names such a file (`make -f`, `vim -S`), and
 * what another command prints in place of a file (`ninja -f <(…)`).
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../ontology/words.ts';
import { FOREIGN, HOLE, isKnown } from '../../data.ts';
import { runText } from '../../deeds/run-code.ts';
import { type Call, type Field, inputFiles, isDryRun } from '../../shell/call.ts';
import { runForeign } from './foreign.ts';

const OPTION = /^--?([A-Za-z][\w-]{0,24})(?:=(.{1,1024}))?$/;
/** A command that may stand anywhere in a line: behind a key, the name of a rule, a sign of the language. */
const COMMAND = /(?<![\w.$/-])([a-z][\w.+-]{0,32})([ \t][^\n;|&"'`)\]}]{1,300})/g;
const MAX_CODE = 8_000;
const MAX_COMMANDS = 12;

export const handedFiles = perOntology((ontology) => ({
  options: new Map([...tableOf(ontology, 'code_file_options')].map(([name, options]) => [name, new Set(options)])),
  looks: setOf(ontology, 'comparing_programs'),
}));

/**
 * Runs what such files hold as far as it is written in the code, and notes the others as files that may be run.
 *
 * @param reads the program has a reader that runs what it is handed
 */
export function runHandedFiles(c: Call, reads: boolean): void {
  const { options, looks } = handedFiles(c.world.ontology);
  if (isDryRun(c, c.args)) return;
  const own = options.get(c.name);
  for (const [i, arg] of c.args.entries()) {
    if (arg.content !== undefined && !reads && !looks.has(c.name)) runLines(c, arg.content.text, arg.content.taint);
    const [, name = '', value] = own === undefined ? [] : (OPTION.exec(arg.text) ?? []);
    if (own?.has(name) !== true) continue;
    const file: Field | undefined = value === undefined ? c.args[i + 1] : { ...arg, text: value };
    if (file === undefined || file.content !== undefined || !isKnown(file) || file.text === '-') continue;
    if (inputFiles(c.world.ontology).has(file.text)) continue;
    const { path } = c.world.describe(file.text);
    const written = c.world.files.get(path);
    if (written === undefined) c.world.noteMayRun(path);
    else if (written.text === HOLE && written.taint & FOREIGN) runText(c.world, 'script', written, c.excerpt);
    else runLines(c, written.text, written.taint);
  }
}

/** Runs the command lines in code of any language. */
function runLines(c: Call, code: string, taint: number): void {
  if (code === HOLE || taint & FOREIGN) return;
  const text = code.slice(0, MAX_CODE);
  if (runForeign(c, text)) return;
  let found = 0;
  for (const [, name = '', rest = ''] of text.matchAll(COMMAND)) {
    // A sentence may have the name of a program; a command has a place to work on.
    if (c.isActing?.(name) !== true || !/[/~*\\]/.test(rest)) continue;
    if (++found > MAX_COMMANDS || !c.world.step(8)) return;
    c.world.run('shell', `${name}${rest}`);
  }
}
