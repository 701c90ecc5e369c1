/**
 * Files that a program writes because an option names them, of whatever program: `sort -o`, `find -fls`, `strace -o`. Most are made
 * anew and nothing is lost. A file that is a whole store (a database, a key, the state of an infrastructure) is lost when the output of
 * another program takes its place.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { HOLE } from '../../data.ts';
import { emptyPath } from '../../deeds/delete-file.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { type Call, isDryRun } from '../../shell/call.ts';

export const outputWords = perOntology((ontology) => ({
  options: setOf(ontology, 'output_options'),
  makers: setOf(ontology, 'store_makers'),
}));

const OPTION = /^--?([A-Za-z][\w-]{0,24})(?:=(.{1,1024}))?$/;
/** Words of one command that are looked at. */
const MAX_WORDS = 64;

/** Notes each store that an option names as the output. Programs that make such files do so with the same options. */
export function noteOutputs(c: Call): void {
  const { options, makers } = outputWords(c.world.ontology);
  for (const [i, { text }] of c.args.slice(0, MAX_WORDS).entries()) {
    if (!text.startsWith('-')) continue;
    const [, name = '', value] = OPTION.exec(text) ?? [];
    if (!options.has(name)) continue;
    const path = value ?? c.args[i + 1]?.text ?? '';
    if (path === '' || path.startsWith('-') || isDryRun(c, c.args)) continue;
    const isLost = c.world.describe(path).is_vital ? !makers.has(c.name) : readsNothing(c, path);
    if (isLost) emptyPath(c.world, path, c.excerpt);
  }
}

/** Whether the command has nothing to write: what it reads is the null device, so its output takes the place of what was there. */
function readsNothing(c: Call, output: string): boolean {
  const given = c.args
    .filter(({ text }) => !text.startsWith('-') && text !== output)
    .map(({ text }) => c.world.describe(text));
  return given.some(({ place, is_endless }) => place === 'null' && !is_endless);
}

/** `w FILE` and `s/a/b/w FILE` of a stream editor. */
const WRITTEN =
  /(?:^|[;\n{}])\s{0,8}(?:\d{1,9}|\$|\/[^/\n]{0,80}\/|(?:\d{1,9},(?:\d{1,9}|\$)))?\s{0,4}(?:w|s([/|#,!])[^\n]{0,400}?\1[gpIiMm\d]{0,6}w)\s{1,4}([^\s;}]{1,400})/g;
const MAX_WRITES = 8;

/** Notes the files that a script of a stream editor writes. */
export function noteScriptOutputs(c: Call, script: string): void {
  if (!script.includes('w')) return;
  for (const [, , path = ''] of [...script.slice(0, MAX_SCRIPT).matchAll(WRITTEN)].slice(0, MAX_WRITES)) {
    if (c.world.describe(path).is_vital) emptyPath(c.world, path, c.excerpt);
    writeFile(c.world, path, { text: HOLE, taint: 0 }, c.excerpt);
  }
}

const MAX_SCRIPT = 4_000;
