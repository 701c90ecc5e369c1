/** Tells whether a WHERE clause restricts the rows of a statement. */
import { splitAt, type Token } from './sql-tokens.ts';

const MAX_DEPTH = 16;

/** Whether the condition holds for every row, or for practically every row (`id > 0`). An empty clause does, too. */
export function isTautology(tokens: readonly Token[], depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const inner = withoutParentheses(tokens);
  const either = splitAt(inner, (t) => t.kind === 'word' && t.text === 'OR');
  if (either.length > 1) return either.some((part) => part.length > 0 && isTautology(part, depth + 1));
  const both = splitAt(inner, (t) => t.kind === 'word' && t.text === 'AND');
  if (both.length > 1 && !inner.some((t) => t.text === 'BETWEEN'))
    return both.every((part) => isTautology(part, depth + 1));
  return inner.length === 0 || holdsAlways(inner);
}

/**
 * Whether a restriction stands beside a comparison of constants that undoes it: `owner = 'x' OR '1'='1'`. No author writes that; a value that
 * was put into the text of the statement does.
 */
export function isUndone(tokens: readonly Token[]): boolean {
  const either = splitAt(withoutParentheses(tokens), (t) => t.kind === 'word' && t.text === 'OR');
  const isRestriction = (part: readonly Token[]): boolean => part.length > 0 && !isConstant(part) && !isTautology(part);
  return either.some((part) => isConstant(part) && holdsAlways(part)) && either.some(isRestriction);
}

const isConstant = (t: readonly Token[]): boolean =>
  t.length === 1 || (t.length === 3 && isLiteral(t[0]) && isLiteral(t[2]));

function withoutParentheses(tokens: readonly Token[]): readonly Token[] {
  let rest = tokens;
  for (
    let i = 0;
    i < MAX_DEPTH && rest.length >= 2 && rest[0]!.text === '(' && rest.at(-1)!.text === ')' && closes(rest);
    i++
  )
    rest = rest.slice(1, -1);
  return rest;
}

/** Whether the first parenthesis is closed by the last token. */
function closes(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const [i, t] of tokens.entries()) {
    if (t.kind !== 'symbol') continue;
    if (t.text === '(') depth++;
    else if (t.text === ')' && --depth === 0) return i === tokens.length - 1;
  }
  return false;
}

const isLiteral = (t: Token | undefined): boolean => t !== undefined && (t.kind === 'number' || t.kind === 'string');
const isKey = (t: Token): boolean => /(?:^|_)id$/i.test(t.text);

function holdsAlways(t: readonly Token[]): boolean {
  const [a, op, b] = t;
  if (t.length === 1) return a!.text === 'TRUE' || (a!.kind === 'number' && Number(a!.text) !== 0);
  if (t.length === 2 && a!.text === 'NOT') return op!.text === 'FALSE' || op!.text === '0';
  if (t.length === 3 && isLiteral(a) && isLiteral(b)) return compares(a!, op!.text, b!);
  if (t.length === 3 && !isLiteral(a) && a!.text === b!.text && /^(?:=|<=|>=|LIKE)$/.test(op!.text)) return true;
  if (t.length === 3 && op!.text === 'LIKE' && b!.kind === 'string') return /^%+$/.test(b!.text);
  if (t.length === 3 && isKey(a!) && isLiteral(b))
    return (/^(?:>|>=|!=|<>)$/.test(op!.text) && /^(?:0|-?1|)$/.test(b!.text)) || false;
  return t.length === 4 && isKey(a!) && op!.text === 'IS' && b!.text === 'NOT' && t[3]!.text === 'NULL';
}

function compares(a: Token, op: string, b: Token): boolean {
  const isNumeric = a.kind === 'number' && b.kind === 'number';
  const [x, y] = isNumeric ? [Number(a.text), Number(b.text)] : [a.text, b.text];
  if (op === '=' || op === 'LIKE') return x === y;
  if (op === '!=' || op === '<>') return x !== y;
  if (op === '<') return x < y;
  if (op === '>') return x > y;
  return (op === '<=' && x <= y) || (op === '>=' && x >= y);
}
