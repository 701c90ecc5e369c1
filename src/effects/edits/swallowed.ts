/**
 * Checks whose failure no longer counts: the call that proves a token, a signature or a right stands in a block whose error handler does
 * nothing, or goes on as if the check had passed. Read in every language alike, by the grammar of blocks.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../ontology/words.ts';
import type { Edit } from './edits.ts';

const MAX_LINES = 2_000;
/** Handlers of one text that are looked at, and characters of a handler and of what it guards. */
const MAX_HANDLERS = 32;
const MAX_BODY = 600;
const MAX_GUARDED = 2_000;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'swallowed_failures', name);
  return {
    checks: sign('checks'),
    begins: sign('begins'),
    catches: sign('catches'),
    braced: new RegExp(sign('braced').source, 'gi'),
    opens: new RegExp(sign('opens').source, 'gi'),
    suppresses: sign('suppresses'),
    idle: sign('idle'),
    refuses: patternOf(ontology, 'weakened_checks', 'refuses'),
    grants: sign('grants'),
    inline: anyOf(ontology, 'dropped_results'),
    blank: sign('blank'),
  };
});

type Signs = ReturnType<typeof signsOf>;

interface Handler {
  /** The code whose failure is handled. */
  guarded: string;
  /** What is done about it. */
  body: string;
  /** The line of the handler. */
  line: string;
}

/** The line by which an edit lets a failed check pass; `undefined` where it does not, or where the text before did so already. */
export function swallowedCheck({ before, after }: Edit, ontology: Ontology): string | undefined {
  const signs = signsOf(ontology);
  if (swallowing(before, signs) !== undefined) return undefined;
  return swallowing(after, signs);
}

function swallowing(text: string, signs: Signs): string | undefined {
  const lines = text.split('\n', MAX_LINES);
  const inline = lines.find(
    (line) => signs.checks.test(line) && (signs.blank.test(line) || (signs.inline.test(line) && !KEEPS.test(line))),
  );
  if (inline !== undefined) return inline;
  return [...indented(lines, signs), ...braced(text, signs)].find(
    ({ guarded, body }) => isCheck(guarded, body, signs) && passesOn(body, signs),
  )?.line;
}

/** The result is kept: where the check fails there is none, and the code behind it may well look at that. */
const KEEPS = /^[^=(\n]{1,120}[^=!<>(\n]=(?![=>])/;

function isCheck(guarded: string, body: string, { checks, grants }: Signs): boolean {
  const isGranted = body.split('\n').some((line) => grants.test(line.trim().replace(/;$/, '')));
  return guarded.split('\n').some((line) => checks.test(line) && (isGranted || !KEEPS.test(line)));
}

/** Whether a handler lets the code go on: it does nothing but note the failure, or says yes. */
function passesOn(body: string, { idle, refuses, grants }: Signs): boolean {
  const lines = body
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '}');
  return !lines.some((line) => refuses.test(line)) && lines.every((line) => idle.test(line) || grants.test(line));
}

/** Handlers of languages whose blocks are told by their depth, and blocks that suppress every failure in them. */
function indented(lines: readonly string[], { begins, catches, suppresses }: Signs): Handler[] {
  const found: Handler[] = [];
  for (const [i, line] of lines.entries()) {
    if (found.length >= MAX_HANDLERS) break;
    const depth = depthOf(line);
    if (suppresses.test(line)) found.push({ guarded: blockBelow(lines, i, depth), body: '', line });
    const rest = catches.exec(line)?.groups?.['rest'];
    if (rest === undefined) continue;
    const start = lines.findLastIndex((one, j) => j < i && depthOf(one) === depth && begins.test(one));
    if (start < 0) continue;
    const guarded = lines.slice(start, i).join('\n').slice(0, MAX_GUARDED);
    found.push({ guarded, body: rest.trim() === '' ? blockBelow(lines, i, depth) : rest, line });
  }
  return found;
}

const depthOf = (line: string): number => line.length - line.trimStart().length;

function blockBelow(lines: readonly string[], at: number, depth: number): string {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && depthOf(line) <= depth);
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .join('\n')
    .slice(0, MAX_BODY);
}

/** Handlers between braces: `try { … } catch (e) { … }`. */
function braced(text: string, { braced: handlers, opens }: Signs): Handler[] {
  const found: Handler[] = [];
  const starts = [...text.matchAll(opens)].map(({ index }) => index);
  for (const match of text.matchAll(handlers)) {
    if (found.length >= MAX_HANDLERS) break;
    const start = starts.findLast((one) => one < match.index) ?? match.index;
    const body = untilClosed(text, match.index + match[0].length);
    if (body !== undefined)
      found.push({ guarded: text.slice(start, match.index).slice(0, MAX_GUARDED), body, line: match[0] });
  }
  return found;
}

/** The text up to the brace that closes a block; `undefined` where it is too long to be a handler that does nothing. */
function untilClosed(text: string, from: number): string | undefined {
  let open = 1;
  for (let i = from; i < Math.min(text.length, from + MAX_BODY); i++) {
    if (text[i] === '{') open++;
    else if (text[i] === '}' && --open === 0) return withoutComments(text.slice(from, i));
  }
  return undefined;
}

const withoutComments = (code: string): string => code.replace(/\/\*[^*]{0,400}\*\/|\/\/[^\n]{0,400}/g, '');
