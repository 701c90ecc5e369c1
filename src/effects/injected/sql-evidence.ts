/** What speaks for an injection while a value is read as SQL, and how strong all of it is. */
import type { SqlLexer } from './sql-lexer.ts';

/** 0 nothing, 1 a hint, 2 likely, 3 certain. */
export type Strength = 0 | 1 | 2 | 3;

/** What was read of a condition since the last word that joins conditions. */
interface Side {
  compares: boolean;
  /** Names of columns; a condition without one is the same for every row. */
  names: number;
  literals: number;
  /** Those of the literals that are words: NULL, TRUE. */
  constants: number;
}

export class SqlEvidence {
  readonly #is_behind_quote: boolean;
  points = 0;
  /** Weak signs that count only beside others or in a text that is SQL throughout. */
  hints = 0;
  joined = 0;
  operands = 0;
  depth = 0;
  selects = 0;
  side: Side = { compares: false, names: 0, literals: 0, constants: 0 };
  starts_as_name = false;
  is_whole = false;
  /** Where the text stopped being SQL, only statements in strict form are found behind that point. */
  is_torn = false;
  /** The value is a statement by itself. It counts when it is SQL to the end. */
  is_statement = false;
  /** A SELECT of a literal in parentheses. */
  is_subquery = false;
  computes = 0;
  cases = 0;
  compares_by_word = false;
  has_constant = false;
  calls = 0;
  /** Variables, commas and parentheses. */
  marks = 0;
  is_absorbed = false;

  /** `is_behind_quote`: the value closes the quote that its slot stands in. */
  constructor(is_behind_quote: boolean) {
    this.#is_behind_quote = is_behind_quote;
  }

  /** The verdict, when everything has been read. */
  strength(lexer: SqlLexer): Strength {
    const is_out = this.#is_behind_quote;
    this.closeSide(lexer);
    if (lexer.cuts) {
      if (is_out && this.operands === 1 && lexer.cut_text.length < 3 && this.is_whole) this.points += 2;
      else if (this.is_whole && this.joined > 0) this.points += 1;
      else if (this.is_whole && lexer.cut_text.length < 3) this.hints += 1;
    }
    if (is_out && this.is_whole && this.joined === 0 && this.computes > 0) {
      if (this.is_absorbed) this.points += 1;
      else if (lexer.cuts && lexer.cut_text === '') this.points += 2;
    }
    if (this.is_whole && this.selects > 0 && this.points === 0 && this.marks > 1) this.points += 1;
    if (this.is_whole && this.is_statement) this.points += 2;
    if (this.is_whole && is_out && lexer.cuts && this.depth < 0) this.points += 2;
    if (this.is_whole && this.is_subquery) this.points += 2;
    if (lexer.inner_comments > 0 && this.operands > 1) this.hints += 1;
    if (this.is_whole && (this.points > 0 || this.hints > 1)) this.points += Math.min(2, this.hints);
    else if (this.is_whole && this.hints > 0 && this.calls > 0) this.points += 1;
    else if (this.hints > 3) this.points += 1;
    return Math.min(3, this.points) as Strength;
  }

  /** A joined condition: certain where it holds the same for all rows, or follows a quote that closed the slot. */
  closeSide(lexer: SqlLexer): void {
    const { compares, names, literals, constants } = this.side;
    this.side = { compares: false, names: 0, literals: 0, constants: 0 };
    if (this.joined === 0) {
      if (compares && this.#is_behind_quote && (this.is_absorbed || lexer.cuts)) this.points += 2;
      else if (this.compares_by_word && !this.starts_as_name && literals > 0 && names === 0) this.hints += 2;
      else if (compares && names === 0 && literals >= 2) this.hints += 1;
      return;
    }
    const is_out = this.#is_behind_quote;
    // Only words, and prose before them: «Our fields are null like …» may be a sentence.
    const may_be_prose = this.starts_as_name && this.compares_by_word && constants === literals;
    if (compares && names === 0 && literals >= 2) this.points += may_be_prose ? 2 : 3;
    else if (compares && is_out && literals + names >= 2) this.points += this.is_absorbed || lexer.cuts ? 3 : 2;
    else if (!is_out && !this.starts_as_name && literals > 0 && names === 0 && (this.has_constant || this.calls > 0))
      this.hints += 2;
    else if (is_out && literals > 0 && names === 0 && (this.is_absorbed || lexer.cuts)) this.points += 2;
    else if (compares && !this.starts_as_name && literals + names >= 2) this.points += 1;
  }
}
