/**
 * Whether a value, put into a slot of an SQL statement, changes the statement: read as a number, behind `'` and behind `"`.
 * Such a value goes on as SQL where the slot ends. Prose does not, for after a few words two operands stand side by side;
 * only what stands before that point counts.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { SqlLexer, type SqlToken } from './sql-lexer.ts';

/** 0 nothing, 1 a hint, 2 likely, 3 certain. */
export type Strength = 0 | 1 | 2 | 3;

/** Longer texts are documents. */
const MAX_TEXT = 4_096;
const MAX_TOKENS = 600;
/** Words that join conditions, in any dialect. */
const PLAIN_JOINS: ReadonlySet<string> = new Set(['AND', 'OR']);
const MAX_RESUMED = 200;

const words = perOntology((ontology) => {
  const grammar = tableOf(ontology, 'injected_sql');
  const calls = tableOf(ontology, 'injected_sql_calls');
  const row = (table: ReadonlyMap<string, readonly string[]>, name: string): ReadonlySet<string> =>
    new Set(table.get(name) ?? []);
  return {
    joins: row(grammar, 'joins'),
    compares: row(grammar, 'compares'),
    computes: row(grammar, 'computes'),
    prefixes: row(grammar, 'prefixes'),
    unites: row(grammar, 'unites'),
    literals: row(grammar, 'literals'),
    clauses: row(grammar, 'clauses'),
    ends: row(grammar, 'ends'),
    acts: row(calls, 'acts'),
    tells: row(calls, 'tells'),
    builds: row(calls, 'builds'),
    /** What every such value has at least one of. */
    signs: patternOf(ontology, 'injected_signs', 'sql'),
    /** Statements that are also found behind text that is no SQL. */
    torn: setOf(ontology, 'torn_statements'),
    statements: tableOf(ontology, 'injected_statements'),
    continues: tableOf(ontology, 'injected_statement_continues'),
    procedures: patternOf(ontology, 'injected_procedures', 'of_the_server'),
    catalogs: setOf(ontology, 'injected_catalogs'),
  };
});

type Words = ReturnType<typeof words>;

/** How strongly this value is an injection into SQL. */
export function sqlInjection(value: string, ontology: Ontology): Strength {
  const known = words(ontology);
  if (value.length > MAX_TEXT || !known.signs.test(value)) return 0;
  let most = 0;
  for (const quote of ['', "'", '"'])
    if (most < 3 && value.includes(quote)) most = Math.max(most, new Slot(value, quote, known).strength());
  return most as Strength;
}

/** What was read of a condition since the last word that joins conditions. */
interface Side {
  compares: boolean;
  /** Names of columns; a condition without one is the same for every row. */
  names: number;
  literals: number;
}

class Slot {
  readonly #quote: string;
  readonly #words: Words;
  readonly #lexer: SqlLexer;
  #token!: SqlToken;
  #points = 0;
  /** Weak signs that count only beside others or in a text that is SQL throughout. */
  #hints = 0;
  #joined = 0;
  #operands = 0;
  #depth = 0;
  #selects = 0;
  #side: Side = { compares: false, names: 0, literals: 0 };
  #starts_as_name = false;
  #is_whole = false;
  /** Where the text stopped being SQL, only statements in strict form are found behind that point. */
  #is_torn = false;
  /** The value is a statement by itself. It counts when it is SQL to the end. */
  #is_statement = false;
  /** A SELECT of a literal in parentheses. */
  #is_subquery = false;
  #computes = 0;
  #cases = 0;
  #compares_by_word = false;
  #has_constant = false;
  #calls = 0;
  /** Variables, commas and parentheses. */
  #marks = 0;
  #is_absorbed = false;

  constructor(value: string, quote: string, known: Words) {
    this.#quote = quote;
    this.#words = known;
    this.#lexer = new SqlLexer(quote + value, 0);
  }

  strength(): Strength {
    this.#read();
    const lexer = this.#lexer;
    const is_out = this.#quote !== '';
    this.#closeSide();
    if (lexer.cuts) {
      if (is_out && this.#operands === 1 && lexer.cut_text.length < 3 && this.#is_whole) this.#points += 2;
      else if (this.#is_whole && this.#joined > 0) this.#points += 1;
      else if (this.#is_whole && lexer.cut_text.length < 3) this.#hints += 1;
    }
    if (is_out && this.#is_whole && this.#joined === 0 && this.#computes > 0) {
      if (this.#is_absorbed) this.#points += 1;
      else if (lexer.cuts && lexer.cut_text === '') this.#points += 2;
    }
    if (this.#is_whole && this.#selects > 0 && this.#points === 0 && this.#marks > 1) this.#points += 1;
    if (this.#is_whole && this.#is_statement) this.#points += 2;
    if (this.#is_whole && is_out && lexer.cuts && this.#depth < 0) this.#points += 2;
    if (this.#is_whole && this.#is_subquery) this.#points += 2;
    if (lexer.inner_comments > 0 && this.#operands > 1) this.#hints += 1;
    if (this.#is_whole && (this.#points > 0 || this.#hints > 1)) this.#points += Math.min(2, this.#hints);
    else if (this.#is_whole && this.#hints > 0 && this.#calls > 0) this.#points += 1;
    else if (this.#hints > 3) this.#points += 1;
    return Math.min(3, this.#points) as Strength;
  }

  #read(): void {
    const first = this.#next();
    if (this.#quote !== '') {
      // The slot ends only where its own quote is closed.
      if (first.is_open) return;
      this.#operands = 1;
      this.#next();
    } else this.#starts_as_name = first.kind === 'word' && !this.#isOperator(first) && first.text !== 'SELECT';
    let needs_operand = this.#quote === '';
    if (needs_operand && (this.#isOperator(first) || first.text === ';' || first.text === ')')) needs_operand = false;
    if (this.#quote === '' && this.#statement(first, false)) needs_operand = true;
    for (let n = 0; n < MAX_TOKENS; n++) {
      const t = this.#token;
      if (t.kind === 'end') {
        this.#is_whole =
          !this.#is_torn && (!needs_operand || this.#is_statement || this.#depth > 0 || this.#lexer.cuts);
        return;
      }
      const next = needs_operand ? this.#operand(t) : this.#operator(t);
      if (next !== null) needs_operand = next;
      else if (!this.#resume()) return;
      else needs_operand = true;
    }
  }

  /** Goes on behind text that is no SQL, at the next words that only a statement has in this order. */
  #resume(): boolean {
    this.#is_torn = true;
    for (let n = 0; n < MAX_RESUMED && this.#token.kind !== 'end'; n++) {
      const t = this.#token;
      if (t.kind === 'word' && this.#words.unites.has(t.text)) {
        if (this.#union() === true) return true;
      } else if (t.kind === 'symbol' && t.text === '(') {
        this.#depth++;
        if (this.#next().text === 'SELECT') return this.#select();
      } else if (t.kind === 'symbol' && t.text === ';') {
        if (this.#stacked() === true) return true;
      } else if (t.kind === 'word' && this.#words.torn.has(t.text)) {
        if (this.#statement(t, true)) return true;
      } else this.#next();
    }
    return false;
  }

  /** A statement by its first two words. `is_strict`: only those that no sentence has. */
  #statement(head: SqlToken, is_strict: boolean): boolean {
    const follows = head.kind === 'word' ? this.#words.statements.get(head.text) : undefined;
    if (follows === undefined || head.text === 'SELECT') return false;
    const after = this.#next();
    const is_procedure = after.kind === 'word' && this.#words.procedures.test(after.text);
    const fits =
      follows.includes(after.text) ||
      (follows.includes('@') && after.kind === 'variable') ||
      (follows.includes('*') && (is_procedure || this.#continues(head, after))) ||
      (follows.includes('end') && after.kind === 'end' && this.#lexer.cuts);
    if (!fits) return false;
    this.#selects++;
    if (is_strict || is_procedure || head.text === 'DECLARE') this.#points += 3;
    else this.#is_statement = true;
    if (after.kind !== 'end') this.#next();
    return true;
  }

  /** The word that has to stand behind the object: `UPDATE t SET`. */
  #continues(head: SqlToken, object: SqlToken): boolean {
    const words = this.#words.continues.get(head.text);
    return words !== undefined && object.kind === 'word' && words.includes(this.#next().text);
  }

  #next(): SqlToken {
    return (this.#token = this.#lexer.next());
  }

  #isOperator(t: SqlToken): boolean {
    const w = this.#words;
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
  #operand(t: SqlToken): boolean | null {
    const w = this.#words;
    if (t.kind === 'symbol') return this.#operandSymbol(t);
    if (t.kind === 'word') {
      if (t.text === 'SELECT') return this.#select();
      if (w.prefixes.has(t.text)) return this.#prefix(t);
      // A clause directly behind a list that ended in a comma or an empty list.
      if (w.joins.has(t.text) || w.compares.has(t.text) || w.unites.has(t.text) || w.clauses.has(t.text)) return null;
      return this.#name(t);
    }
    this.#operands++;
    if (t.kind === 'variable') {
      this.#marks += 2;
      if (t.text.startsWith('@@')) this.#points += 2;
      this.#side.literals++;
    } else {
      this.#side.literals++;
      if (t.kind === 'number' && t.text.length > 5 && t.text.startsWith('0X')) this.#hints += 1;
      if (t.is_open && t.text === this.#quote) this.#is_absorbed = true;
    }
    this.#next();
    return false;
  }

  #operandSymbol(t: SqlToken): boolean | null {
    switch (t.text) {
      case '(':
        this.#depth++;
        this.#marks++;
        this.#next();
        if (this.#token.text === ')') return false;
        return true;
      case '*':
        this.#next();
        this.#operands++;
        return this.#selects > 0 || this.#depth > 0 ? false : null;
      case '{':
        // The escape of ODBC: `{fn name}`, `{d '…'}`.
        this.#next();
        if (this.#token.kind !== 'word') return null;
        this.#next();
        return true;
      case '+':
      case '-':
      case '!':
      case '~':
      // MySQL's NULL is written as a backslash and N.
      case '\\':
        this.#next();
        return true;
      default:
        return null;
    }
  }

  #prefix(t: SqlToken): boolean {
    if (t.text === 'BINARY') this.#hints += 1;
    const next = this.#next();
    if (t.text === 'CASE' && next.text === 'WHEN') {
      this.#cases++;
      this.#joined++;
      this.#next();
    }
    return true;
  }

  /** SELECT behind UNION is counted there; alone or in parentheses it is a statement of its own. */
  #select(): boolean {
    this.#selects++;
    if (this.#operands > 0 || this.#depth > 0 || this.#quote !== '') this.#hints += 1;
    const first = this.#next();
    if (this.#depth === 0 && (first.kind === 'number' || first.kind === 'variable' || first.text === '*'))
      this.#hints += 1;
    if (this.#depth > 0 && (first.kind !== 'word' || first.text === 'NULL') && first.text !== '(')
      this.#is_subquery = true;
    return true;
  }

  #name(t: SqlToken): boolean {
    const w = this.#words;
    this.#operands++;
    let name = t.text;
    this.#next();
    for (let i = 0; i < 8 && this.#token.text === '.' && this.#token.kind === 'symbol'; i++) {
      const after = this.#next();
      if (after.kind !== 'word' && after.text !== '*') break;
      name += `.${after.text}`;
      this.#next();
    }
    const is_call = this.#token.kind === 'symbol' && this.#token.text === '(';
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (is_call) {
      if (w.acts.has(last) || w.acts.has(name.split('.')[0]!)) this.#points += 3;
      else if (w.tells.has(last)) this.#hints += 2;
      else if (w.builds.has(last)) this.#hints += 1;
      this.#side.literals++;
      this.#calls++;
      this.#depth++;
      this.#next();
      if ((this.#token as SqlToken).text !== ')') return true;
      return false;
    }
    if (w.literals.has(name)) {
      this.#side.literals++;
      this.#has_constant = true;
    } else {
      this.#side.names++;
      if (isCatalog(name, w)) this.#points += this.#selects > 0 ? 2 : 1;
    }
    return false;
  }

  /** Reads where an operator has to stand. */
  #operator(t: SqlToken): boolean | null {
    const w = this.#words;
    if (t.kind === 'symbol' && t.text === ')') {
      this.#depth--;
      this.#next();
      return false;
    }
    if (t.text === ',' && t.kind === 'symbol') {
      this.#marks++;
      this.#next();
      return true;
    }
    if (t.text === '}' && t.kind === 'symbol') {
      this.#next();
      return false;
    }
    if (t.text === ';' && t.kind === 'symbol') return this.#stacked();
    if (t.kind === 'word' || t.kind === 'symbol') {
      if (w.joins.has(t.text)) return this.#join();
      if (w.unites.has(t.text)) return this.#union();
      if (t.text === 'NOT') {
        const compared = this.#next();
        return compared.kind === 'word' && w.compares.has(compared.text) ? this.#compare(compared) : null;
      }
      if (w.compares.has(t.text)) return this.#compare(t);
      if (w.computes.has(t.text)) {
        this.#computes++;
        if (t.text === ':=') this.#hints += 2;
        return this.#skip(true, ['LIKE']);
      }
    }
    if (t.kind !== 'word') return this.#selects > 0 && t.kind === 'string' ? this.#skip(false, []) : null;
    return this.#clause(t);
  }

  #skip(result: boolean, also: readonly string[]): boolean {
    this.#next();
    if (also.includes(this.#token.text)) this.#next();
    return result;
  }

  #join(): boolean {
    // Prose joins numbers by «and» and «or»; signs and XOR are of SQL.
    if (this.#quote === '' && !this.#starts_as_name && !PLAIN_JOINS.has(this.#token.text)) this.#hints += 2;
    this.#closeSide();
    this.#joined++;
    this.#next();
    return true;
  }

  #compare(t: SqlToken): boolean | null {
    this.#side.compares = true;
    this.#compares_by_word = t.kind === 'word';
    this.#next();
    if (t.text === 'IS') {
      if (this.#token.text === 'NOT') this.#next();
      if (!this.#words.literals.has(this.#token.text)) return null;
    }
    if (t.text === 'IN' && this.#token.text !== '(') return null;
    return true;
  }

  /** A joined condition: certain where it holds the same for all rows, or stands behind a quote that closed the slot. */
  #closeSide(): void {
    const { compares, names, literals } = this.#side;
    this.#side = { compares: false, names: 0, literals: 0 };
    if (this.#joined === 0) {
      if (compares && this.#quote !== '' && (this.#is_absorbed || this.#lexer.cuts)) this.#points += 2;
      else if (this.#compares_by_word && !this.#starts_as_name && literals > 0 && names === 0) this.#hints += 2;
      else if (compares && names === 0 && literals >= 2) this.#hints += 1;
      return;
    }
    const is_out = this.#quote !== '';
    if (compares && names === 0 && literals >= 2) this.#points += 3;
    else if (compares && is_out && literals + names >= 2) this.#points += this.#is_absorbed || this.#lexer.cuts ? 3 : 2;
    else if (!is_out && !this.#starts_as_name && literals > 0 && names === 0 && (this.#has_constant || this.#calls > 0))
      this.#hints += 2;
    else if (is_out && literals > 0 && names === 0 && (this.#is_absorbed || this.#lexer.cuts)) this.#points += 2;
    else if (compares && !this.#starts_as_name && literals + names >= 2) this.#points += 1;
  }

  #union(): boolean | null {
    this.#next();
    if (this.#token.text === 'ALL' || this.#token.text === 'DISTINCT') this.#next();
    while (this.#token.text === '(' && this.#token.kind === 'symbol') {
      this.#depth++;
      this.#next();
    }
    if (this.#token.text !== 'SELECT' && this.#token.text !== 'VALUES') return null;
    this.#selects++;
    const first = this.#next();
    // «The union select committee» is a sentence.
    if ((this.#is_torn || this.#starts_as_name) && first.kind === 'word') {
      const second = this.#next();
      if (second.kind === 'end' || (second.kind === 'word' && second.text !== 'FROM')) return null;
      if (second.kind === 'symbol') this.#points += 3;
      this.#operands++;
      return second.text === '(' ? this.#skip(true, []) : this.#operator(second);
    }
    this.#points += 3;
    return true;
  }

  #stacked(): boolean | null {
    this.#closeSide();
    const head = this.#next();
    if (head.kind === 'end') {
      this.#is_whole = true;
      return null;
    }
    const follows = head.kind === 'word' ? this.#words.statements.get(head.text) : undefined;
    if (follows === undefined) return null;
    const after = this.#next();
    const is_operand = after.kind !== 'end' && (after.kind !== 'symbol' || after.text === '(' || after.text === '*');
    const fits =
      (follows.includes('*') && is_operand) ||
      (follows.includes('@') && after.kind === 'variable') ||
      (follows.includes('end') && after.kind === 'end') ||
      follows.includes(after.text);
    if (!fits) return null;
    if (!follows.includes('*')) {
      this.#points += 3;
      return null;
    }
    if (this.#words.continues.has(head.text)) {
      if (this.#continues(head, after)) this.#points += 3;
      return null;
    }
    // A statement whose first word is an everyday word must go on as SQL.
    this.#selects++;
    const next = this.#operand(after);
    const then = this.#token;
    if (next !== null && (next || then.kind === 'end' || then.kind === 'symbol' || this.#isOperator(then)))
      this.#points += this.#quote !== '' || !this.#starts_as_name ? 3 : 2;
    return next;
  }

  #clause(t: SqlToken): boolean | null {
    const w = this.#words;
    if (t.text === 'INTO') {
      const to = this.#next();
      if (to.text === 'OUTFILE' || to.text === 'DUMPFILE') this.#points += 3;
      else if (to.kind !== 'variable' && this.#selects === 0) return null;
      this.#next();
      return true;
    }
    if (t.text === 'PROCEDURE') {
      const name = this.#next();
      const open = this.#next();
      if (name.kind !== 'word' || open.text !== '(') return null;
      this.#points += 3;
      return true;
    }
    if (t.text === 'HAVING') {
      this.#joined++;
      this.#next();
      return true;
    }
    if ((t.text === 'GROUP' || t.text === 'ORDER') && this.#next().text === 'BY') {
      if (!this.#starts_as_name || this.#quote !== '') this.#points += this.#quote === '' ? 1 : 2;
      if (this.#next().kind === 'number' && !this.#starts_as_name) this.#points += 1;
      return true;
    }
    if (t.text === 'FROM' && this.#selects > 0) {
      this.#points += this.#operands > 1 || this.#depth > 0 ? 2 : 1;
      this.#next();
      return true;
    }
    if (this.#cases > 0 && (t.text === 'THEN' || t.text === 'WHEN' || t.text === 'ELSE')) {
      if (t.text === 'THEN') this.#closeSide();
      this.#next();
      return true;
    }
    if (this.#cases > 0 && t.text === 'END') {
      this.#next();
      return false;
    }
    if (this.#quote !== '' && this.#operands === 1 && this.#selects === 0) return this.#behindQuote(t);
    if (w.clauses.has(t.text)) {
      if (this.#selects === 0 && this.#depth <= 0 && t.text !== 'LIMIT') return null;
      this.#next();
      return true;
    }
    if (w.ends.has(t.text)) {
      this.#next();
      return this.#token.text === 'JOIN' ? this.#skip(true, []) : false;
    }
    // A name behind an operand renames it in the list of a SELECT.
    if (this.#selects > 0 && this.#depth >= 0) return this.#alias();
    return null;
  }

  /** A statement directly behind the closed slot: SQL Server needs no semicolon before it. */
  #behindQuote(t: SqlToken): boolean | null {
    if (t.text === 'SELECT') {
      this.#points += 1;
      return this.#select();
    }
    return this.#statement(t, true) ? true : null;
  }

  #alias(): boolean | null {
    const after = this.#next();
    const isSql = after.kind === 'end' || after.kind === 'symbol' || this.#isOperator(after);
    return isSql ? false : null;
  }
}

function isCatalog(name: string, w: Words): boolean {
  if (w.catalogs.has(name)) return true;
  const dot = name.indexOf('.');
  return dot > 0 && w.catalogs.has(name.slice(0, dot));
}
