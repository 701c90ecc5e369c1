/**
 * Checks on the tokens of a condition: limits, misspelt operators, unknown functions, forbidden names. Each check looks at
 * one token and its neighbours.
 */
import { ConditionError } from './condition-error.ts';
import type { Limits } from './limits.ts';
import { shorten, type Token } from './tokens.ts';
import { FORBIDDEN_NAMES, type Vocabulary } from './vocabulary.ts';

const LIST_MACROS = new Set(['exists', 'all']);
/** Methods of values; every other `x.name(…)` is refused. */
const METHODS = new Set(['contains', 'startsWith', 'endsWith', 'size', ...LIST_MACROS]);

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const CALCULATIONS = new Set(['+', '-', '*', '/', '%']);
/** Words and signs that join two conditions → the sign in CEL. */
export const JOINS: ReadonlyMap<string, string> = new Map([
  ['AND', '&&'],
  ['OR', '||'],
  ['&&', '&&'],
  ['||', '||'],
]);
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'in']);
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['and', 'AND'],
  ['or', 'OR'],
  ['not', 'NOT'],
  ['in', 'in'],
  ['true', 'true'],
  ['false', 'false'],
]);

type Counted = 'comparisons' | 'joins' | 'calculations' | 'calls';

/** Refuses conditions beyond the limits, counting everything that later costs recursion or time. */
export function checkSize(tokens: readonly Token[], limits: Limits): void {
  const counts: Record<Counted, number> = { comparisons: 0, joins: 0, calculations: 0, calls: 0 };
  let names_in_path = 1;
  for (const [i, token] of tokens.entries()) {
    const is_field = isField(tokens, i);
    names_in_path = is_field ? names_in_path + 1 : isDot(token) ? names_in_path : 1;
    if (names_in_path > limits.depth) refuse(token, `a path may have at most ${limits.depth} names`);
    const counted = is_field ? undefined : countedAs(token, tokens[i + 1]);
    if (counted === undefined) continue;
    counts[counted] += 1;
    if (counts[counted] > limits.comparisons) {
      refuse(token, `more than ${limits.comparisons} ${counted}; split the rule into several`);
    }
  }
}

function countedAs({ kind, text }: Token, next: Token | undefined): Counted | undefined {
  if (kind !== 'sign' && kind !== 'name') return undefined;
  if (COMPARISONS.has(text)) return 'comparisons';
  if (JOINS.has(text)) return 'joins';
  if (CALCULATIONS.has(text)) return 'calculations';
  return kind === 'name' && next?.text === '(' ? 'calls' : undefined;
}

/** Refuses a token in a position where it is not allowed. */
export function checkToken(tokens: readonly Token[], i: number, vocabulary: Vocabulary): void {
  const token = tokens[i]!;
  if (token.kind === 'sign' && token.text === '[' && endsOperand(tokens[i - 1])) {
    refuse(token, 'brackets after a value are not allowed; reach fields by name: target.resource_type');
  }
  if (token.kind !== 'name') return;
  if (FORBIDDEN_NAMES.has(token.text)) refuse(token, `\`${token.text}\` is not a name that a condition may use`);
  const is_field = isField(tokens, i);
  if (!is_field) checkSpelling(token);
  if (tokens[i + 1]?.text !== '(' || isKeyword(token, tokens[i - 1])) return;
  if (is_field) checkMethod(tokens, i);
  else checkFunction(token, vocabulary);
}

function checkSpelling(token: Token): void {
  const spelling = SPELLINGS.get(token.text.toLowerCase());
  if (spelling !== undefined && token.text !== spelling)
    refuse(token, `\`${token.text}\` is not known; write ${spelling}`);
  if (token.text === 'null') refuse(token, 'there is no null: a comparison with a missing field is false');
}

function checkMethod(tokens: readonly Token[], i: number): void {
  const token = tokens[i]!;
  if (!METHODS.has(token.text)) {
    refuse(token, `there is no method \`${shorten(token.text)}\`; there are ${[...METHODS].join(', ')}`);
  }
  const names_element = tokens[i + 2]?.kind === 'name' && tokens[i + 3]?.text === ',';
  if (LIST_MACROS.has(token.text) && !names_element) {
    refuse(token, `name the element and test it: list.${token.text}(x, x == "a")`);
  }
}

function checkFunction(token: Token, vocabulary: Vocabulary): void {
  if (token.text === 'size' || vocabulary.functions.has(token.text)) return;
  const known = ['size', ...vocabulary.functions.keys()].sort().join(', ');
  refuse(token, `there is no function \`${shorten(token.text)}\`; there are ${known}`);
}

function refuse(token: Token, reason: string): never {
  throw new ConditionError(token.start + 1, reason);
}

function isDot(token: Token | undefined): boolean {
  return token?.kind === 'sign' && token.text === '.';
}

/** Whether the token is the name of a field or method, that is, follows a dot. */
function isField(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.kind === 'name' && isDot(tokens[i - 1]);
}

/** Whether the token is one of AND, OR, NOT, in. After a dot the same word is a field. */
export function isKeyword(token: Token, previous: Token | undefined): boolean {
  return token.kind === 'name' && KEYWORDS.has(token.text) && previous?.text !== '.';
}

/** Whether a value may end with this token, so that an operator must follow. A keyword after a dot is a field: `a.in`. */
export function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'sign') return token.text === ')' || token.text === ']';
  return token.kind !== 'name' || !KEYWORDS.has(token.text);
}

/** Whether a condition may begin after this token. */
export function startsOperand(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'name') return previous.text === 'AND' || previous.text === 'OR' || previous.text === 'NOT';
  return previous.kind === 'sign' && ['(', '[', ',', '!', '&&', '||'].includes(previous.text);
}
