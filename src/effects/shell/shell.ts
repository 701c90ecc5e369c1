/** Shell code: removes what is not shell, parses the rest with unbash and runs it with `shell-run.ts`. */

import { parse } from 'unbash';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../ontology/words.ts';
import { withoutFences } from '../code/fences.ts';
import { bounded } from '../data.ts';
import { programsOf } from '../programs/index.ts';
import type { World } from '../world.ts';
import { programName } from './call.ts';
import { fromFish, isFish } from './fish.ts';
import { parseLeniently } from './lenient.ts';
import { Shell } from './shell-run.ts';

/** Signs that change the direction of a text, and letters that are written from right to left. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

export function readShell(code: string, world: World): void {
  // Without a letter that needs them, they only make the command look like another one.
  if (DIRECTION.test(code) && !RIGHT_TO_LEFT.test(code))
    world.add('obfuscates', 'one', 'signs of direction', bounded(code));
  const text = prepare(code, world.ontology);
  if (expansionDepth(text) > MAX_EXPANSIONS) {
    readPieces(text, world);
    return;
  }
  const to = endOfRead(text);
  if (to < text.length) {
    world.has_unparsed = true;
    world.was_cut = true;
  }
  const programs = programsOf(world.ontology);
  const {
    script,
    text: read,
    has_errors,
    unread,
  } = parseLeniently(text.slice(0, to), (word) => programs.has(programName(word)));
  if (has_errors) world.has_unparsed = true;
  const shell = new Shell(world, read);
  shell.runScript(script);
  if (unread !== '') readLines(unread, world);
  // Anyone who reads from a pipe with a name waits for what is written to it later.
  const isChannel = world.effects.items.some(({ kind }) => kind === 'opens_channel');
  const pipes = pipesOf(world.ontology);
  if (pipes.present.test(read) && !isChannel) shell.runScript(parse(read.replace(pipes.makes, 'true')));
  shell.runUncalled();
}

/** Levels of nested expansions that are parsed. People do not nest deeper, and each level costs another pass over the rest. */
const MAX_EXPANSIONS = 24;
const MAX_PIECES = 200;
const MAX_LINE = 2_000;

function expansionDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    // `$(`, `${`, `<(`, `>(`
    if ((c === 36 && (next === 40 || next === 123)) || ((c === 60 || c === 62) && next === 40))
      deepest = Math.max(deepest, ++depth);
    else if ((c === 41 || c === 125) && depth > 0) depth--;
  }
  return deepest;
}

const pipesOf = perOntology((ontology) => ({
  makes: new RegExp(patternOf(ontology, 'named_pipes', 'makes').source, 'g'),
  present: patternOf(ontology, 'named_pipes', 'present'),
}));

/** Signs between commands up to which a text is parsed: several times as many commands as the budget lets run. */
const MAX_SEPARATORS = 5_000;

/** Here-documents that one line opens: the parser's time grows with the square of those whose bodies are still to come. */
const MAX_HERE_DOCUMENTS = 200;

/** Where the part of the text ends that is parsed. */
function endOfRead(text: string): number {
  let found = 0;
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    // line end, `&`, `;`, `|`
    if ((c === 10 || c === 38 || c === 59 || c === 124) && ++found > MAX_SEPARATORS) return i;
    if (c === 10) opened = 0;
    // `<<`
    else if (c === 60 && text.charCodeAt(i + 1) === 60 && ++opened > MAX_HERE_DOCUMENTS) return i;
  }
  return text.length;
}

/** The fallback for code that is not parsed as a whole: reads the pieces between separators that start with a known program. */
function readPieces(text: string, world: World): void {
  world.has_unparsed = true;
  world.was_cut = true;
  const programs = programsOf(world.ontology);
  let found = 0;
  for (const m of text.matchAll(/[^;|&(){}`$\n]{3,400}/g)) {
    const piece = m[0].trim();
    if (!programs.has(programName(piece.split(/\s/, 1)[0]!))) continue;
    if (++found > MAX_PIECES || !world.step(8)) return;
    new Shell(world, piece).runScript(parse(piece));
  }
}

/** Lines behind one that is not a command: a shell that is typed into says so and reads on. */
function readLines(text: string, world: World): void {
  const programs = programsOf(world.ontology);
  for (const line of new Set(text.split('\n'))) {
    const piece = line.trim();
    if (piece.length < 3 || piece.length > MAX_LINE) continue;
    if (!programs.has(programName(piece.split(/[\s;|&()]/, 1)[0]!))) continue;
    if (!world.step(8)) {
      world.was_cut = true;
      return;
    }
    new Shell(world, piece).runScript(parse(piece));
  }
}

export const signs = perOntology((ontology) => {
  const prompt = patternOf(ontology, 'shell_prompts', 'any');
  return {
    windowsPath: anyOf(ontology, 'windows_path_signs'),
    prompts: new RegExp(prompt.source, `${prompt.flags}g`),
  };
});

/** A backslash of a Windows path. That of `'\''` writes a quote inside of quotes. */
const PATH_BACKSLASH = /(?<!')\\|(?<=')\\(?!'')/g;

/** Removes code fences, prompts and notebook escapes; turns the backslashes of Windows paths, which a POSIX shell would drop. */
function prepare(code: string, ontology: Ontology): string {
  const { windowsPath, prompts } = signs(ontology);
  let text = withoutFences(code);
  if (/^\s*:?[$!%#>]{1,2} ?\w/.test(text)) text = text.replace(prompts, '$1');
  if (windowsPath.test(text)) text = text.replace(PATH_BACKSLASH, '/');
  // A job that zsh detaches as it starts it.
  if (text.includes('&!')) text = text.replaceAll('&!', '&');
  return isFish(text, ontology) ? fromFish(text) : text;
}
