/**
 * From a condition to plain CEL: checks the sequence of tokens and the limits, and translates AND, OR and NOT. It works on
 * tokens, so strings stay unchanged, and without recursion, so no input can exhaust the stack.
 *
 * `NOT` takes the whole comparison that follows: `NOT a == b` is `!(a == b)`. `!` keeps CEL's binding.
 */
import { ConditionError } from './condition-error.ts';
import type { Limits } from './limits.ts';
import { checkSize, checkToken, endsOperand, isKeyword, JOINS, startsOperand } from './token-rules.ts';
import { type Token, tokenize } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Name of `size` in the CEL text: CEL's own `size` returns an int, which does not compare with doubles. */
export const SIZE = 'size_as_double';

/** CEL text, with the origin of each position in the condition. */
export interface Translation {
  cel: string;
  tokens: readonly Token[];
  /** Column in the condition, from 1, of an offset in `cel`. */
  columnOf(offset: number): number;
  /** The token of the condition at an offset in `cel`; undefined after the last one. */
  tokenAt(offset: number): Token | undefined;
}

/** Translates a condition. Throws a {@link ConditionError}. */
export function translate(source: string, vocabulary: Vocabulary, limits: Limits): Translation {
  if (source.length > limits.length) {
    throw new ConditionError(
      limits.length + 1,
      `the condition has ${source.length} characters; at most ${limits.length} are allowed`,
    );
  }
  const tokens = tokenize(source);
  if (tokens.length === 0)
    throw new ConditionError(1, 'the condition is empty; write a comparison such as batch_size > 100');
  checkSize(tokens, limits);
  for (let i = 0; i < tokens.length; i++) checkToken(tokens, i, vocabulary);
  return new Writer(tokens, source.length, limits.depth).write();
}

/** Writes the CEL text token by token, separated by spaces, so that no two tokens merge. */
class Writer {
  readonly #tokens: readonly Token[];
  readonly #source_length: number;
  readonly #max_depth: number;
  readonly #starts: number[] = [];
  readonly #origins: (Token | undefined)[] = [];
  #cel = '';
  /** For each open bracket, outermost first, the number of NOTs whose comparison has not ended. */
  readonly #waiting: number[] = [0];
  #signs_in_a_row = 0;
  #open = 0;

  constructor(tokens: readonly Token[], source_length: number, max_depth: number) {
    this.#tokens = tokens;
    this.#source_length = source_length;
    this.#max_depth = max_depth;
  }

  write(): Translation {
    for (const [i, token] of this.#tokens.entries()) this.#writeToken(token, this.#tokens[i - 1], this.#tokens[i + 1]);
    this.#closeNots(undefined);
    const starts = this.#starts;
    const origins = this.#origins;
    const tokenAt = (offset: number) => origins[starts.findLastIndex((start) => start <= offset)];
    const end = this.#source_length + 1;
    return {
      cel: this.#cel,
      tokens: this.#tokens,
      tokenAt: (offset) => (offset >= this.#cel.length ? undefined : tokenAt(offset)),
      columnOf: (offset) => (offset >= this.#cel.length ? end : (tokenAt(offset)?.start ?? end - 1) + 1),
    };
  }

  #writeToken(token: Token, previous: Token | undefined, next: Token | undefined): void {
    this.#countDepth(token);
    if (isKeyword(token, previous) && token.text === 'NOT') {
      this.#writeNot(token, previous);
      return;
    }
    const join = token.kind === 'string' || previous?.text === '.' ? undefined : JOINS.get(token.text);
    if (join !== undefined || (token.kind === 'sign' && ',)]'.includes(token.text))) this.#closeNots(token);
    this.#countBrackets(token);
    this.#put(join ?? celText(token, next), token);
  }

  #writeNot(token: Token, previous: Token | undefined): void {
    if (endsOperand(previous))
      throw new ConditionError(token.start + 1, '`NOT` stands before a comparison: NOT verb in ["read", "list"]');
    if (!startsOperand(previous))
      throw new ConditionError(token.start + 1, 'put brackets around the part that NOT belongs to');
    this.#put('!', token);
    this.#put('(', token);
    this.#waiting[this.#waiting.length - 1]! += 1;
    this.#open += 1;
    this.#checkDepth(token);
  }

  #closeNots(token: Token | undefined): void {
    for (let n = this.#waiting.at(-1) ?? 0; n > 0; n--) {
      this.#put(')', token);
      this.#open -= 1;
    }
    this.#waiting[this.#waiting.length - 1] = 0;
  }

  #countBrackets(token: Token): void {
    if (token.kind !== 'sign') return;
    if (token.text === '(' || token.text === '[') {
      this.#waiting.push(0);
      this.#open += 1;
      this.#checkDepth(token);
    }
    if (token.text === ')' || token.text === ']') {
      if (this.#waiting.length === 1)
        throw new ConditionError(token.start + 1, `this \`${token.text}\` closes nothing; remove it`);
      this.#waiting.pop();
      this.#open -= 1;
    }
  }

  #countDepth(token: Token): void {
    const is_sign = token.kind === 'sign' && (token.text === '!' || token.text === '-');
    this.#signs_in_a_row = is_sign ? this.#signs_in_a_row + 1 : 0;
    this.#checkDepth(token);
  }

  #checkDepth(token: Token): void {
    if (this.#open + this.#signs_in_a_row <= this.#max_depth) return;
    throw new ConditionError(token.start + 1, `nested more than ${this.#max_depth} deep; split the rule into several`);
  }

  #put(text: string, origin: Token | undefined): void {
    this.#starts.push(this.#cel.length);
    this.#origins.push(origin);
    this.#cel += `${text} `;
  }
}

/** All numbers become doubles in CEL, so that whole numbers and fractions compare and calculate with each other. */
function celText(token: Token, next: Token | undefined): string {
  if (token.kind === 'number' && /^[0-9]+$/.test(token.text)) return `${token.text}.0`;
  return token.kind === 'name' && token.text === 'size' && next?.text === '(' ? SIZE : token.text;
}
