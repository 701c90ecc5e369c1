/**
 * Patterns with gaps: `rm[^\n]{0,200}settings\.json` means both pieces, in this order, on one line, at most 200 characters apart. As an
 * expression that costs the length of the gap at each first piece, and the product of all gaps where there are several; here
 * each piece is searched once, so that the cost follows from the text alone.
 */

export interface GappedSearch {
  test(text: string): boolean;
}

interface Piece {
  expression: RegExp;
  /** The gap before it: most characters, and what none of them may be. Null for the first piece. */
  gap: { most: number; excluded: RegExp } | null;
}

/** Gaps shorter than this stay part of an expression. */
const LEAST_GAP = 40;
const GAP = /(?:\[\^((?:\\.|[^\]\\]){1,20})\]|\.)\{0,(\d{2,4})\}/y;
/** What `.` does not match. */
const LINE_ENDS = '\\n\\r\\u2028\\u2029';

/** What every gap of at least 40 characters has. */
const MAY_BE_GAP = /[.\]]\{0,\d{2,4}\}/;

/**
 * Searches for any of these patterns. A gap is `.{0,n}` or `[^…]{0,n}` with n of at least 40 outside of every group; what stands
 * between gaps is an expression of its own, so that lookarounds and `\b` see the whole text.
 */
export function gappedSearch(patterns: readonly RegExp[]): GappedSearch {
  const chains = patterns.flatMap(chainsOf);
  return { test: (text) => chains.some((pieces) => isFound(pieces, text)) };
}

/** The same of one pattern: the expression itself where it has no gap. */
export function searchOf(pattern: RegExp): GappedSearch {
  const hasGaps = MAY_BE_GAP.test(pattern.source) && chainsOf(pattern).some((pieces) => pieces.length > 1);
  return hasGaps ? gappedSearch([pattern]) : pattern;
}

const chainsOf = ({ source, flags }: RegExp): Piece[][] =>
  alternativesOf(source).map((one) => piecesOf(one, flags.replace(/[gy]/g, '')));

/** The alternatives of an expression outside of its groups. */
function alternativesOf(source: string): string[] {
  return splitAtTop(source, (at) => (source[at] === '|' ? 1 : 0)).map(({ text }) => text);
}

function piecesOf(source: string, flags: string): Piece[] {
  const gapAt = (at: number): number => {
    GAP.lastIndex = at;
    const found = GAP.exec(source);
    return found !== null && Number(found[2]) >= LEAST_GAP ? found[0].length : 0;
  };
  return splitAtTop(source, gapAt).map(({ text, separator }) => {
    GAP.lastIndex = 0;
    const [, excluded = LINE_ENDS, most = '0'] = GAP.exec(separator) ?? [];
    return {
      expression: new RegExp(text, `${flags}g`),
      gap: separator === '' ? null : { most: Number(most), excluded: new RegExp(`[${excluded}]`, 'g') },
    };
  });
}

/** The parts of an expression between separators outside of its groups and classes, each with the separator before it. */
function splitAtTop(source: string, lengthAt: (at: number) => number): { text: string; separator: string }[] {
  const parts = [{ text: '', separator: '' }];
  let depth = 0;
  for (let at = 0; at < source.length; ) {
    const length = depth === 0 ? lengthAt(at) : 0;
    if (length > 0) {
      parts.push({ text: '', separator: source.slice(at, at + length) });
      at += length;
      continue;
    }
    const token = tokenAt(source, at);
    if (token === '(') depth++;
    else if (token === ')') depth--;
    parts.at(-1)!.text += token;
    at += token.length;
  }
  return parts;
}

/** An escape, a class of characters, or one character. */
function tokenAt(source: string, at: number): string {
  if (source[at] === '\\') return source.slice(at, at + 2);
  if (source[at] !== '[') return source[at]!;
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return source.slice(at, end + 1);
}

interface Match {
  start: number;
  end: number;
}

/** Whether the pieces follow one another: of all places of a piece, the nearest one before the next serves best. */
function isFound(pieces: readonly Piece[], text: string): boolean {
  // The last pieces are the rarest: most texts lack one of them.
  if (pieces.length > 1 && !pieces.toReversed().every(({ expression }) => nextOf(expression, text, 0) < text.length))
    return false;
  let reached: Match[] | null = null;
  for (const { expression, gap } of pieces) {
    const found = matchesOf(expression, text);
    reached = gap === null || reached === null ? found : behind(found, reached, gap, text);
    if (reached.length === 0) return false;
  }
  return true;
}

/** Every place where the expression matches, also inside of an earlier match. */
function matchesOf(expression: RegExp, text: string): Match[] {
  const found: Match[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    expression.lastIndex = match.index + 1;
  }
  return found;
}

/** Those of `found` that one of `earlier` precedes within the gap. Both are in the order of their starts. */
function behind(
  found: readonly Match[],
  earlier: readonly Match[],
  { most, excluded }: NonNullable<Piece['gap']>,
  text: string,
): Match[] {
  const kept: Match[] = [];
  let next = 0;
  let last: Match | undefined;
  let barrier = -1;
  let upcoming = nextOf(excluded, text, 0);
  for (const match of found) {
    while (next < earlier.length && isBefore(earlier[next]!, match)) last = earlier[next++]!;
    // The last character before this piece that the gap may not hold.
    for (; upcoming < match.start; upcoming = nextOf(excluded, text, upcoming + 1)) barrier = upcoming;
    // The earlier piece may have taken more than it needs: then it ends where this one begins.
    if (last !== undefined && match.start - last.end <= most && barrier < last.end) kept.push(match);
  }
  return kept;
}

/** A piece without characters, such as `^`, may stand where the next one begins. */
const isBefore = (earlier: Match, match: Match): boolean => earlier.start < match.start || earlier.end === match.start;

function nextOf(sign: RegExp, text: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}
