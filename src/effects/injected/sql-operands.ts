/** Reads operands of SQL: literals, names and calls, what precedes them, parentheses, the head of a SELECT. */
import { SqlEvidence } from './sql-evidence.ts';
import { isCatalog, type SqlInjectionWords } from './sql-injection-words.ts';
import { SqlLexer, type SqlToken } from './sql-lexer.ts';

export class SqlOperands {
  /** The quote that the slot of the value stands in; '' for none. */
  readonly quote: string;
  readonly words: SqlInjectionWords;
  readonly lexer: SqlLexer;
  readonly seen: SqlEvidence;
  token!: SqlToken;

  constructor(value: string, quote: string, known: SqlInjectionWords) {
    this.quote = quote;
    this.words = known;
    this.lexer = new SqlLexer(quote + value, 0);
    this.seen = new SqlEvidence(quote !== '');
  }

  next(): SqlToken {
    return (this.token = this.lexer.next());
  }

  isOperator(t: SqlToken): boolean {
    const w = this.words;
    if (t.kind === 'word')
      return (
        w.joins.has(t.text) ||
        w.unites.has(t.text) ||
        w.clauses.has(t.text) ||
        w.ends.has(t.text) ||
        t.text === 'INTO' ||
        t.text === 'PROCEDURE'
      );
    return t.text === '||' || t.text === '&&';
  }

  /** Reads where an operand has to stand. True: another must follow; false: an operator must follow; null: no SQL. */
  operand(t: SqlToken): boolean | null {
    const w = this.words;
    if (t.kind === 'symbol') return this.#operandSymbol(t);
    if (t.kind === 'word') {
      if (t.text === 'SELECT') return this.#mayBeSelect() ? this.select() : null;
      if (w.prefixes.has(t.text)) return this.#prefix(t);
      // A clause directly behind a list that ended in a comma or an empty list.
      if (w.joins.has(t.text) || w.compares.has(t.text) || w.unites.has(t.text) || w.clauses.has(t.text)) return null;
      return this.#name(t);
    }
    this.seen.operands++;
    if (t.kind === 'variable') {
      this.seen.marks += 2;
      if (t.text.startsWith('@@')) this.seen.points += 2;
      this.seen.side.literals++;
    } else {
      this.seen.side.literals++;
      if (t.kind === 'number' && t.text.length > 5 && t.text.startsWith('0X')) this.seen.hints += 1;
      if (t.is_open && t.text === this.quote) this.seen.is_absorbed = true;
    }
    this.next();
    return false;
  }

  #operandSymbol(t: SqlToken): boolean | null {
    switch (t.text) {
      case '(':
        this.seen.depth++;
        this.seen.marks++;
        this.next();
        if (this.token.text === ')') return false;
        return true;
      case '*':
        this.next();
        this.seen.operands++;
        return this.seen.selects > 0 || this.seen.depth > 0 ? false : null;
      case '{':
        // The escape of ODBC: `{fn name}`, `{d '…'}`.
        this.next();
        if (this.token.kind !== 'word') return null;
        this.next();
        return true;
      case '+':
      case '-':
      case '!':
      case '~':
      // MySQL's NULL is written as a backslash and N.
      case '\\':
        this.next();
        return true;
      default:
        return null;
    }
  }

  #prefix(t: SqlToken): boolean {
    if (t.text === 'BINARY') this.seen.hints += 1;
    const next = this.next();
    if (t.text === 'CASE' && next.text === 'WHEN') {
      this.seen.cases++;
      this.seen.joined++;
      this.next();
    }
    return true;
  }

  /** Behind an operand only parentheses or a statement take a SELECT: «our limit, select the …» is a sentence. */
  #mayBeSelect(): boolean {
    const { operands, depth, is_statement, selects } = this.seen;
    return operands === 0 || depth > 0 || is_statement || selects > 0;
  }

  /** SELECT behind UNION is counted there; alone or in parentheses it is a statement of its own. */
  select(): boolean {
    this.seen.selects++;
    if (this.seen.operands > 0 || this.seen.depth > 0 || this.quote !== '') this.seen.hints += 1;
    const first = this.next();
    if (this.seen.depth === 0 && (first.kind === 'number' || first.kind === 'variable' || first.text === '*'))
      this.seen.hints += 1;
    if (this.seen.depth > 0 && (first.kind !== 'word' || first.text === 'NULL') && first.text !== '(')
      this.seen.is_subquery = true;
    return true;
  }

  #name(t: SqlToken): boolean {
    const w = this.words;
    this.seen.operands++;
    let name = t.text;
    this.next();
    for (let i = 0; i < 8 && this.token.text === '.' && this.token.kind === 'symbol'; i++) {
      const after = this.next();
      if (after.kind !== 'word' && after.text !== '*') break;
      name += `.${after.text}`;
      this.next();
    }
    const is_call = this.token.kind === 'symbol' && this.token.text === '(';
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (is_call) {
      if (w.acts.has(last) || w.acts.has(name.split('.')[0]!)) this.seen.points += 3;
      else if (w.tells.has(last)) this.seen.hints += 2;
      else if (w.builds.has(last)) this.seen.hints += 1;
      this.seen.side.literals++;
      this.seen.calls++;
      this.seen.depth++;
      this.next();
      if ((this.token as SqlToken).text !== ')') return true;
      return false;
    }
    if (w.literals.has(name)) {
      this.seen.side.literals++;
      this.seen.side.constants++;
      this.seen.has_constant = true;
    } else {
      this.seen.side.names++;
      if (isCatalog(name, w)) this.seen.points += this.seen.selects > 0 ? 2 : 1;
    }
    return false;
  }
}
