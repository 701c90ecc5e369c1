/** What the text that an edit replaces kept safe, and the new text no longer does: refusals, guards, escaping, records of who did what. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../ontology/words.ts';
import type { Edit } from './edits.ts';

export type DroppedKind =
  /** A refusal, or what stands for one, is gone, and nothing new takes its place. */
  | 'guard_dropped'
  /** Text of others is run or shown as it is, where it was parsed or escaped. */
  | 'input_becomes_code'
  /** Who did what is no longer recorded. */
  | 'record_dropped'
  /** A setting that protects is switched off, or one that endangers is switched on. */
  | 'protection_off';

export interface Dropped {
  kind: DroppedKind;
  line: string;
}

const MAX_LINES = 2_000;
/** The head of a function ends so; a value that is kept does not. */
const OPENS = /[{(:>]\s*$/;
/** A line that begins with a comment which may go on over further lines. */
const BLOCK_COMMENT = /^\s{0,200}(\/\*|<!--)/;
/** Lines below a condition among which its refusal stands. */
const REACH = 3;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'guards_in_code', name);
  return {
    refusal: sign('refusal_of_rights'),
    subjects: sign('subjects'),
    declared: new RegExp(sign('declared').source, 'gi'),
    escapes: new RegExp(sign('escapes').source, 'g'),
    audits: sign('audits'),
    comment: sign('comment'),
    empty: sign('empty'),
    trailing: sign('trailing'),
    conditions: patternOf(ontology, 'weakened_checks', 'conditions'),
    heads: patternOf(ontology, 'weakened_checks', 'function_heads'),
    raw: patternOf(ontology, 'unsafe_calls', 'raw'),
    safe: patternOf(ontology, 'unsafe_calls', 'safe'),
    input: patternOf(ontology, 'unsafe_calls', 'input'),
    switched_off: anyOf(ontology, 'switched_off_verification'),
    settings: anyOf(ontology, 'protection_settings'),
    weak: patternOf(ontology, 'lowered_settings', 'weak'),
    strong: patternOf(ontology, 'lowered_settings', 'strong'),
  };
});

type Signs = ReturnType<typeof signsOf>;

/** What an edit that replaces text drops. A file that is written whole drops nothing that is known. */
export function droppedGuards(edit: Edit, ontology: Ontology): Dropped[] {
  const signs = signsOf(ontology);
  const before = codeLines(edit.before, signs);
  const after = codeLines(edit.after, signs);
  const found: Dropped[] = [];
  const note = (kind: DroppedKind, line: string | undefined): void => {
    if (line !== undefined) found.push({ kind, line });
  };
  const stood = new Set(before.map(plain));
  const stands = new Set(after.map(plain));
  const added = after.filter((line) => !stood.has(plain(line)));
  if (isCommentedOut(before, after, edit.after, signs) || goesOn(before, after, stands, signs)) {
    note('guard_dropped', droppedGuard(before, after, signs));
    if (!after.some((line) => signs.audits.test(line)))
      note(
        'record_dropped',
        before.find((line) => signs.audits.test(line)),
      );
  }
  if (added.length > 0 && countOf(before, signs.escapes) > countOf(after, signs.escapes))
    note(
      'input_becomes_code',
      added.find((line) => before.some((was) => differsByEscape(was, line, signs))),
    );
  if (!before.some((line) => signs.raw.test(line)))
    note(
      'input_becomes_code',
      added.find(
        (line) => signs.raw.test(line) && (signs.input.test(line) || before.some((was) => signs.safe.test(was))),
      ),
    );
  note(
    'protection_off',
    added.find((line) => lowers(line, before, signs)),
  );
  return found;
}

const plain = (line: string): string => line.trim();

/** The lines that are code, without comments over one or several lines. */
function codeLines(text: string, { comment }: Signs): string[] {
  const lines: string[] = [];
  let end = '';
  for (const line of text.split('\n', MAX_LINES)) {
    const opened = end === '' ? BLOCK_COMMENT.exec(line)?.[1] : undefined;
    if (end === '' && opened === undefined && line.trim() !== '' && !comment.test(line)) lines.push(line);
    if (opened !== undefined) end = opened === '/*' ? '*/' : '-->';
    if (end !== '' && line.includes(end)) end = '';
  }
  return lines;
}

/** Whether the lines still stand in the new text, all of them in comments. A function that goes as a whole takes its guards with it. */
function isCommentedOut(before: readonly string[], after: readonly string[], text: string, signs: Signs): boolean {
  const isHead = (line: string): boolean => signs.heads.test(line) && !signs.conditions.test(plain(line));
  return after.length === 0 && before.every((line) => text.includes(plain(line)) && !isHead(line));
}

/**
 * Whether what was guarded is still there: a line of its own stays or takes its place, or nothing but guards is taken away. Where
 * a whole function or feature goes, its guards go with it.
 */
function goesOn(
  before: readonly string[],
  after: readonly string[],
  stands: ReadonlySet<string>,
  signs: Signs,
): boolean {
  const heads = before.filter((line) => signs.heads.test(line));
  if (heads.length > 0 && !heads.some((line) => stands.has(plain(line)) || after.some((one) => signs.heads.test(one))))
    return false;
  if (after.some((line) => !signs.empty.test(line))) return true;
  const guards = new Set(guardsOf(before, signs).flatMap(({ lines }) => lines));
  return before.every((line) => guards.has(line) || signs.empty.test(line) || signs.audits.test(line));
}

interface Guard {
  /** What it demands: equal in a guard that is only moved. */
  key: string;
  line: string;
  lines: string[];
}

/** Conditions that send away who may not, and declarations that stand for such conditions. */
function guardsOf(lines: readonly string[], signs: Signs): Guard[] {
  const guards: Guard[] = [];
  for (const [i, line] of lines.entries()) {
    if (signs.switched_off.test(line)) continue;
    if (signs.conditions.test(plain(line)) || signs.trailing.test(line)) {
      const block = lines.slice(i, i + REACH);
      const at = block.findIndex((one, j) => signs.refusal.test(j === 0 ? one : plain(one)));
      if (at >= 0 && (signs.subjects.test(line) || signs.subjects.test(block[at]!)))
        guards.push({ key: line.replace(/\s+/g, ''), line, lines: block.slice(0, at + 1) });
    } else {
      // The name of a function that checks is not a check.
      const isHead = signs.heads.test(line) && OPENS.test(line);
      const part = isHead ? line.slice(line.indexOf('(')) : line;
      for (const key of part.match(signs.declared) ?? []) guards.push({ key, line, lines: [line] });
    }
  }
  return guards;
}

/** A guard of the old text that the new one lacks, unless the new one has another in its place. */
function droppedGuard(before: readonly string[], after: readonly string[], signs: Signs): string | undefined {
  const had = guardsOf(before, signs);
  if (had.length === 0) return undefined;
  const has = guardsOf(after, signs);
  const old = new Set(had.map(({ key }) => key));
  if (has.some(({ key }) => !old.has(key))) return undefined;
  const kept = new Set(has.map(({ key }) => key));
  return had.find(({ key }) => !kept.has(key))?.line;
}

function countOf(lines: readonly string[], pattern: RegExp): number {
  return lines.reduce((sum, line) => sum + (line.match(pattern)?.length ?? 0), 0);
}

/** Whether a line is another one without its escaping: nothing but the call and its brackets is gone. */
function differsByEscape(was: string, line: string, { escapes }: Signs): boolean {
  if (was.match(escapes) === null) return false;
  return bare(was.replace(escapes, '')) === bare(line.replace(escapes, ''));
}

const bare = (line: string): string => line.replace(/[\s(){};,]|\b\w{1,20}\.(?=\()/g, '');

function lowers(line: string, before: readonly string[], { settings, weak, strong }: Signs): boolean {
  const setting = settings.exec(line);
  if (setting !== null) return !before.some((was) => was.includes(setting[0]));
  const name = weak.exec(line)?.[1];
  return name !== undefined && before.some((was) => strong.exec(was)?.[1]?.toLowerCase() === name.toLowerCase());
}
