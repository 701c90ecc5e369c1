/** Tokens of SQL, read one by one, so that prose costs only the few words after which it is no SQL any more. */

export interface SqlToken {
  kind: 'word' | 'number' | 'string' | 'variable' | 'symbol' | 'end';
  /** In capitals; of strings nothing. */
  text: string;
  /** A string whose closing quote is not in the text: the quote of the query around it will close it. */
  is_open: boolean;
}

const END: SqlToken = { kind: 'end', text: '', is_open: false };
const LONGEST_WORD = 64;
const WORD = /[\w$\u0080-\uffff]/;
const TWO = new Set(['<>', '!=', '<=', '>=', '||', '&&', '::', ':=', '==', '<<', '>>']);

export class SqlLexer {
  readonly #text: string;
  #at: number;
  /** Comments that stand between two tokens, and those that hide the rest of the query. */
  inner_comments = 0;
  cuts = false;
  /** Text behind the sign of the comment that cuts. */
  cut_text = '';
  #had_comment = false;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  next(): SqlToken {
    this.#skip();
    const text = this.#text;
    const c = text[this.#at];
    if (c === undefined) return END;
    if (this.#had_comment) {
      this.inner_comments++;
      this.#had_comment = false;
    }
    if (c === "'" || c === '"') return this.#string(c);
    if (c === '`') return { kind: 'word', text: this.#until('`'), is_open: false };
    if (c === '[') return { kind: 'word', text: this.#until(']'), is_open: false };
    if (/\d/.test(c) || (c === '.' && /\d/.test(text[this.#at + 1] ?? ''))) return this.#number();
    if (c === '@') return this.#variable();
    if (/[A-Za-z_\u0080-\uffff]/.test(c)) return { kind: 'word', text: this.#word(), is_open: false };
    const two = text.slice(this.#at, this.#at + 2);
    const symbol = TWO.has(two) ? two : c;
    this.#at += symbol.length;
    return { kind: 'symbol', text: symbol, is_open: false };
  }

  /** Skips blanks and comments. A comment without an end cuts the query; MySQL runs what is in `/*! … *\/`. */
  #skip(): void {
    const text = this.#text;
    for (;;) {
      while (/\s/.test(text[this.#at] ?? '')) this.#at++;
      if (text.startsWith('/*!', this.#at)) {
        this.#at += 3;
        while (/\d/.test(text[this.#at] ?? '')) this.#at++;
        this.inner_comments++;
      } else if (text.startsWith('*/', this.#at)) this.#at += 2;
      else if (text.startsWith('/*', this.#at)) this.#comment('*/', 2);
      else if (text.startsWith('--', this.#at)) this.#comment('\n', 2);
      else if (text[this.#at] === '#') this.#comment('\n', 1);
      else return;
    }
  }

  #comment(end: string, length: number): void {
    const at = this.#text.indexOf(end, this.#at + length);
    if (at >= 0) {
      this.#had_comment = true;
      this.#at = at + end.length;
      return;
    }
    this.cuts = true;
    this.cut_text = this.#text.slice(this.#at + length).trim();
    this.#at = this.#text.length;
  }

  #string(quote: string): SqlToken {
    const text = this.#text;
    let i = this.#at + 1;
    for (; i < text.length; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === quote) {
        if (text[i + 1] !== quote) break;
        i++;
      }
    }
    this.#at = i + 1;
    return { kind: 'string', text: quote, is_open: i >= text.length };
  }

  #until(close: string): string {
    const end = this.#text.indexOf(close, this.#at + 1);
    const name = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return name.slice(0, LONGEST_WORD).toUpperCase();
  }

  #word(): string {
    const from = this.#at;
    while (WORD.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#text.slice(from, Math.min(this.#at, from + LONGEST_WORD)).toUpperCase();
  }

  /** `1`, `1.5`, `0x41`, `1e5`, and MySQL's `1.e`; MySQL ends a number where letters begin that belong to no number. */
  #number(): SqlToken {
    const match = /^(?:0x[\da-f]{1,4096}|\d{0,64}\.?\d{0,64}(?:e[+-]?\d{0,9}|f(?=union))?)/i.exec(
      this.#text.slice(this.#at, this.#at + 4100),
    )!;
    this.#at += Math.max(1, match[0].length);
    return { kind: 'number', text: match[0].toUpperCase(), is_open: false };
  }

  #variable(): SqlToken {
    let i = this.#at;
    while (this.#text[i] === '@') i++;
    const sigil = this.#text.slice(this.#at, i);
    this.#at = i;
    const c = this.#text[i];
    const name = c === '`' || c === "'" || c === '"' ? this.#until(c) : this.#word();
    return { kind: 'variable', text: sigil.slice(0, 2) + name, is_open: false };
  }
}
