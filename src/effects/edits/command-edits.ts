/**
 * Edits that a command makes in a file: a stream editor (`sed -i 's/assert_eq!(.*)/assert!(true)/' tests/rounding.rs`), or a script
 * that replaces texts and writes the file again (`p.write_text(s.replace('a', 'b'))`).
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';

/** One replacement, in the shape of the other edits. */
interface CommandEdit {
  path: string;
  before: string;
  after: string;
  is_whole: boolean;
  is_patch: boolean;
}

const MAX_TEXT = 16_384;
const MAX_COMMANDS = 32;
/** Between the name of the program and its program text. */
const MAX_OPTIONS = 200;
export const commandEdits = perOntology((ontology) => {
  const editor = patternOf(ontology, 'command_edits', 'editor');
  const replaces = patternOf(ontology, 'command_edits', 'replaces');
  return {
    /** Whether a text may make an edit: most do not. */
    sign: new RegExp(`${editor.source}|${replaces.source}`),
    editors: new RegExp(editor.source, 'g'),
    replacements: new RegExp(replaces.source, 'g'),
    writes: patternOf(ontology, 'command_edits', 'writes'),
    file: patternOf(ontology, 'command_edits', 'file'),
  };
});
const IN_PLACE = /^\s[^\n;|&'"]{0,200}?(?:-[a-zA-Z]{0,4}i|--in-place)/;

/** A line of the shell that goes on. */
const CONTINUED = '\\\n';

/** The edits of one command line, in order. What the expression matches stands for the old text. */
export function editsOfCommand(command: string, ontology: Ontology): CommandEdit[] {
  const { sign, editors } = commandEdits(ontology);
  if (!sign.test(command)) return [];
  const text = command.slice(0, MAX_TEXT).replaceAll(CONTINUED, '  ');
  const edits: CommandEdit[] = [];
  for (const { index } of text.matchAll(editors)) {
    if (edits.length >= MAX_COMMANDS) break;
    const rest = text.slice(index + text.slice(index).search(/\s/));
    if (IN_PLACE.test(rest)) edits.push(...replacementsOf(rest));
  }
  return [...edits, ...replacementsOfScript(text, ontology)].slice(0, MAX_COMMANDS);
}

const LONGEST_TEXT = 2_000;

/** Texts that a script puts in place of others before it writes the file. */
function replacementsOfScript(text: string, ontology: Ontology): CommandEdit[] {
  const { replacements, writes, file } = commandEdits(ontology);
  if (!writes.test(text)) return [];
  const path = file.exec(text)?.[1] ?? '';
  const edits: CommandEdit[] = [];
  for (const { 0: call, index } of text.matchAll(replacements)) {
    const before = quotedAt(text, index + call.length);
    const comma = before === undefined ? undefined : /^\s{0,8},/.exec(text.slice(before.end))?.[0].length;
    const after = comma === undefined ? undefined : quotedAt(text, before!.end + comma);
    if (after !== undefined && edits.length < MAX_COMMANDS)
      edits.push({ path, before: before!.value, after: after.value, is_whole: false, is_patch: false });
  }
  return edits;
}

/** The quoted text that begins behind blanks, and where it ends. */
function quotedAt(text: string, from: number): { value: string; end: number } | undefined {
  const start = from + (/^\s{0,8}/.exec(text.slice(from, from + 8))?.[0].length ?? 0);
  const sign = text.charAt(start);
  if (sign !== "'" && sign !== '"') return undefined;
  const end = endOfPart(text.slice(0, start + LONGEST_TEXT), start + 1, sign);
  if (end < 0) return undefined;
  return { value: text.slice(start + 1, end).replaceAll('\\n', '\n'), end: end + 1 };
}

/** Expressions of one call of an editor. */
const MAX_EXPRESSIONS = 16;
const FURTHER_EXPRESSION = /^\s{1,8}(?:-[a-zA-Z]{0,4}e\s{1,8}|--expression[=\s]\s{0,8})(?=['"])/;

/** The replacements of all expressions of one call, in the file that follows them. */
function replacementsOf(rest: string): CommandEdit[] {
  const found: { before: string; after: string }[] = [];
  let quote = rest.slice(0, MAX_OPTIONS).search(/['"]/);
  let behind = rest.length;
  for (let i = 0; i < MAX_EXPRESSIONS && quote >= 0; i++) {
    const closing = closingQuote(rest, quote, found);
    behind = closing < 0 ? rest.length : closing + 1;
    const further = FURTHER_EXPRESSION.exec(rest.slice(behind, behind + MAX_OPTIONS));
    quote = further === null ? -1 : behind + further[0].length;
  }
  const path = /^\s{1,8}([^\s;|&'"]{1,300})/.exec(rest.slice(behind))?.[1] ?? '';
  return found.map((one) => ({ path, ...one, is_whole: false, is_patch: false }));
}

/** Index of the quote that closes the expression, -1 if none does; what it replaces is added to `found`. */
function closingQuote(rest: string, quote: number, found: { before: string; after: string }[]): number {
  const start = quote + 1;
  const sign = rest.charAt(start + 1);
  if (rest.charAt(start) !== 's' || /[\w\s\\]/.test(sign) || sign === '') return -1;
  const middle = endOfPart(rest, start + 2, sign);
  const end = middle < 0 ? -1 : endOfPart(rest, middle + 1, sign);
  if (end < 0) return -1;
  found.push({ before: plainText(rest.slice(start + 2, middle)), after: plainText(rest.slice(middle + 1, end)) });
  return rest.indexOf(rest.charAt(quote), end);
}

/** Index of the sign that ends a part, -1 if none does. A backslash takes the sign its meaning. */
function endOfPart(text: string, from: number, sign: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === sign) return at;
  }
  return -1;
}

/** Without the backslashes of the expression. */
const plainText = (part: string): string => part.replace(/\\(.)/g, '$1');
