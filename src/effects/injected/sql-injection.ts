/**
 * Whether a value, put into a slot of an SQL statement, changes the statement: read as a number, behind `'` and behind `"`.
 * Such a value goes on as SQL where the slot ends. Prose does not, for after a few words two operands stand side by side;
 * only what precedes that point counts.
 */
import type { Ontology } from '../../ontology/index.ts';
import type { Strength } from './sql-evidence.ts';
import { sqlInjectionWords } from './sql-injection-words.ts';
import type { SqlToken } from './sql-lexer.ts';
import { SqlOperands } from './sql-operands.ts';

/** Longer texts are documents. */
const MAX_TEXT = 4_096;
const MAX_TOKENS = 600;
/** Words that join conditions, in any dialect. */
const PLAIN_JOINS: ReadonlySet<string> = new Set(['AND', 'OR']);
const MAX_RESUMED = 200;

/** How strongly this value is an injection into SQL. */
export function sqlInjection(value: string, ontology: Ontology): Strength {
  const known = sqlInjectionWords(ontology);
  if (value.length > MAX_TEXT || !known.signs.test(value)) return 0;
  let most = 0;
  for (const quote of ['', "'", '"'])
    if (most < 3 && value.includes(quote)) most = Math.max(most, new Slot(value, quote, known).strength());
  return most as Strength;
}

class Slot extends SqlOperands {
  strength(): Strength {
    this.#read();
    return this.seen.strength(this.lexer);
  }

  #read(): void {
    const first = this.next();
    if (this.quote !== '') {
      // The slot ends only where its own quote is closed.
      if (first.is_open) return;
      this.seen.operands = 1;
      this.next();
    } else this.seen.starts_as_name = first.kind === 'word' && !this.isOperator(first) && first.text !== 'SELECT';
    let needs_operand = this.quote === '';
    if (needs_operand && (this.isOperator(first) || first.text === ';' || first.text === ')')) needs_operand = false;
    if (this.quote === '' && this.#statement(first, false)) needs_operand = true;
    for (let n = 0; n < MAX_TOKENS; n++) {
      const t = this.token;
      if (t.kind === 'end') {
        this.seen.is_whole =
          !this.seen.is_torn && (!needs_operand || this.seen.is_statement || this.seen.depth > 0 || this.lexer.cuts);
        return;
      }
      const next = needs_operand ? this.operand(t) : this.#operator(t);
      if (next !== null) needs_operand = next;
      else if (!this.#resume()) return;
      else needs_operand = true;
    }
  }

  /** Goes on behind text that is no SQL, at the next words that only a statement has in this order. */
  #resume(): boolean {
    this.seen.is_torn = true;
    for (let n = 0; n < MAX_RESUMED && this.token.kind !== 'end'; n++) {
      const t = this.token;
      if (t.kind === 'word' && this.words.unites.has(t.text)) {
        if (this.#union() === true) return true;
      } else if (t.kind === 'symbol' && t.text === '(') {
        this.seen.depth++;
        if (this.next().text === 'SELECT') return this.select();
      } else if (t.kind === 'symbol' && t.text === ';') {
        if (this.#stacked() === true) return true;
      } else if (t.kind === 'word' && this.words.torn.has(t.text)) {
        if (this.#statement(t, true)) return true;
      } else this.next();
    }
    return false;
  }

  /** A statement by its first two words. `is_strict`: only those that no sentence has. */
  #statement(head: SqlToken, is_strict: boolean): boolean {
    const follows = head.kind === 'word' ? this.words.statements.get(head.text) : undefined;
    if (follows === undefined || head.text === 'SELECT') return false;
    const after = this.next();
    const is_procedure = after.kind === 'word' && this.words.procedures.test(after.text);
    const fits =
      follows.includes(after.text) ||
      (follows.includes('@') && after.kind === 'variable') ||
      (follows.includes('*') && (is_procedure || this.#continues(head, after))) ||
      (follows.includes('end') && after.kind === 'end' && this.lexer.cuts);
    if (!fits) return false;
    this.seen.selects++;
    if (is_strict || is_procedure || head.text === 'DECLARE') this.seen.points += 3;
    else this.seen.is_statement = true;
    if (after.kind !== 'end') this.next();
    return true;
  }

  /** The word that has to follow the object: `UPDATE t SET`. */
  #continues(head: SqlToken, object: SqlToken): boolean {
    const words = this.words.continues.get(head.text);
    return words !== undefined && object.kind === 'word' && words.includes(this.next().text);
  }

  /** Reads where an operator has to stand. */
  #operator(t: SqlToken): boolean | null {
    const w = this.words;
    if (t.kind === 'symbol' && t.text === ')') {
      this.seen.depth--;
      this.next();
      return false;
    }
    if (t.text === ',' && t.kind === 'symbol') {
      this.seen.marks++;
      this.next();
      return true;
    }
    if (t.text === '}' && t.kind === 'symbol') {
      this.next();
      return false;
    }
    if (t.text === ';' && t.kind === 'symbol') return this.#stacked();
    if (t.kind === 'word' || t.kind === 'symbol') {
      if (w.joins.has(t.text)) return this.#join();
      if (w.unites.has(t.text)) return this.#union();
      if (t.text === 'NOT') {
        const compared = this.next();
        return compared.kind === 'word' && w.compares.has(compared.text) ? this.#compare(compared) : null;
      }
      if (w.compares.has(t.text)) return this.#compare(t);
      if (w.computes.has(t.text)) {
        this.seen.computes++;
        if (t.text === ':=') this.seen.hints += 2;
        return this.#skip(true, ['LIKE']);
      }
    }
    if (t.kind !== 'word') return this.seen.selects > 0 && t.kind === 'string' ? this.#skip(false, []) : null;
    return this.#clause(t);
  }

  #skip(result: boolean, also: readonly string[]): boolean {
    this.next();
    if (also.includes(this.token.text)) this.next();
    return result;
  }

  #join(): boolean {
    // Prose joins numbers by «and» and «or»; signs and XOR are of SQL.
    if (this.quote === '' && !this.seen.starts_as_name && !PLAIN_JOINS.has(this.token.text)) this.seen.hints += 2;
    this.seen.closeSide(this.lexer);
    this.seen.joined++;
    this.next();
    return true;
  }

  #compare(t: SqlToken): boolean | null {
    this.seen.side.compares = true;
    this.seen.compares_by_word = t.kind === 'word';
    this.next();
    if (t.text === 'IS') {
      if (this.token.text === 'NOT') this.next();
      if (!this.words.literals.has(this.token.text)) return null;
    }
    if (t.text === 'IN' && this.token.text !== '(') return null;
    return true;
  }

  #union(): boolean | null {
    this.next();
    if (this.token.text === 'ALL' || this.token.text === 'DISTINCT') this.next();
    while (this.token.text === '(' && this.token.kind === 'symbol') {
      this.seen.depth++;
      this.next();
    }
    if (this.token.text !== 'SELECT' && this.token.text !== 'VALUES') return null;
    this.seen.selects++;
    const first = this.next();
    // «The union select committee» is a sentence.
    if ((this.seen.is_torn || this.seen.starts_as_name) && first.kind === 'word') {
      const second = this.next();
      if (second.kind === 'end' || (second.kind === 'word' && second.text !== 'FROM')) return null;
      if (second.kind === 'symbol') this.seen.points += 3;
      this.seen.operands++;
      return second.text === '(' ? this.#skip(true, []) : this.#operator(second);
    }
    this.seen.points += 3;
    return true;
  }

  #stacked(): boolean | null {
    this.seen.closeSide(this.lexer);
    const head = this.next();
    if (head.kind === 'end') {
      this.seen.is_whole = true;
      return null;
    }
    const follows = head.kind === 'word' ? this.words.statements.get(head.text) : undefined;
    if (follows === undefined) return null;
    const after = this.next();
    const is_operand = after.kind !== 'end' && (after.kind !== 'symbol' || after.text === '(' || after.text === '*');
    const fits =
      (follows.includes('*') && is_operand) ||
      (follows.includes('@') && after.kind === 'variable') ||
      (follows.includes('end') && after.kind === 'end') ||
      follows.includes(after.text);
    if (!fits) return null;
    if (!follows.includes('*')) {
      this.seen.points += 3;
      return null;
    }
    if (this.words.continues.has(head.text)) {
      if (this.#continues(head, after)) this.seen.points += 3;
      return null;
    }
    // A statement whose first word is an everyday word must go on as SQL.
    this.seen.selects++;
    const next = this.operand(after);
    const then = this.token;
    if (next !== null && (next || then.kind === 'end' || then.kind === 'symbol' || this.isOperator(then)))
      this.seen.points += this.quote !== '' || !this.seen.starts_as_name ? 3 : 2;
    return next;
  }

  #clause(t: SqlToken): boolean | null {
    const w = this.words;
    if (t.text === 'INTO') {
      const to = this.next();
      if (to.text === 'OUTFILE' || to.text === 'DUMPFILE') this.seen.points += 3;
      else if (to.kind !== 'variable' && this.seen.selects === 0) return null;
      this.next();
      return true;
    }
    if (t.text === 'PROCEDURE') {
      const name = this.next();
      const open = this.next();
      if (name.kind !== 'word' || open.text !== '(') return null;
      this.seen.points += 3;
      return true;
    }
    if (t.text === 'HAVING') {
      this.seen.joined++;
      this.next();
      return true;
    }
    if ((t.text === 'GROUP' || t.text === 'ORDER') && this.next().text === 'BY') {
      if (!this.seen.starts_as_name || this.quote !== '') this.seen.points += this.quote === '' ? 1 : 2;
      if (this.next().kind === 'number' && !this.seen.starts_as_name) this.seen.points += 1;
      return true;
    }
    if (t.text === 'FROM' && this.seen.selects > 0) {
      this.seen.points += this.seen.operands > 1 || this.seen.depth > 0 ? 2 : 1;
      this.next();
      return true;
    }
    if (this.seen.cases > 0 && (t.text === 'THEN' || t.text === 'WHEN' || t.text === 'ELSE')) {
      if (t.text === 'THEN') this.seen.closeSide(this.lexer);
      this.next();
      return true;
    }
    if (this.seen.cases > 0 && t.text === 'END') {
      this.next();
      return false;
    }
    if (this.quote !== '' && this.seen.operands === 1 && this.seen.selects === 0) return this.#behindQuote(t);
    if (w.clauses.has(t.text)) {
      if (this.seen.selects === 0 && this.seen.depth <= 0 && t.text !== 'LIMIT') return null;
      this.next();
      return true;
    }
    if (w.ends.has(t.text)) {
      this.next();
      return this.token.text === 'JOIN' ? this.#skip(true, []) : false;
    }
    // A name behind an operand renames it in the list of a SELECT.
    if (this.seen.selects > 0 && this.seen.depth >= 0) return this.#alias();
    return null;
  }

  /** A statement directly behind the closed slot: SQL Server needs no semicolon before it. */
  #behindQuote(t: SqlToken): boolean | null {
    if (t.text === 'SELECT') {
      this.seen.points += 1;
      return this.select();
    }
    return this.#statement(t, true) ? true : null;
  }

  #alias(): boolean | null {
    const after = this.next();
    const isSql = after.kind === 'end' || after.kind === 'symbol' || this.isOperator(after);
    return isSql ? false : null;
  }
}
