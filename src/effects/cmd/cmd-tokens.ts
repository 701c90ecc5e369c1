/** The tokens of the Windows command processor: words, quotes, carets and operators, line by line. */

export interface Token {
  /** Without quotes and carets. */
  text: string;
  /** `&`, `&&`, `||`, `|`, `(`, `)`, `<`, `>`, `2>`. */
  isOperator: boolean;
  /** Has quotes. */
  isQuoted: boolean;
  /** Carets or quotes stand between letters, where they change nothing. */
  isBroken: boolean;
}

export interface Line {
  tokens: Token[];
  /** As written, for people. */
  text: string;
}

const MAX_LINES = 400;
const MAX_TOKENS = 400;

/** The lines of a batch file. Lines ending with a caret go on; what is in brackets goes on over lines. */
export function tokensOf(code: string): Line[] {
  const text = code.replace(/\^\r?\n/g, '');
  const lines: Line[] = [];
  for (const raw of text.split(/\r?\n/).slice(0, MAX_LINES)) {
    const line = raw.replace(/^\s*(?:[A-Za-z]:\\[^>\n]{0,200}>)?\s*@?/, '');
    if (line === '' || /^(?::|rem\s)/i.test(line)) continue;
    const last = lines.at(-1);
    const tokens = tokenize(line);
    // `&&` at the end of a line, as pasted scripts have it.
    if (
      last !== undefined &&
      /^(?:&&?|\|\|?|\()$/.test(last.tokens.at(-1)?.text ?? '') &&
      last.tokens.at(-1)!.isOperator
    ) {
      last.tokens.push(...tokens);
      last.text = `${last.text} ${line}`.slice(0, 400);
    } else lines.push({ tokens, text: line.slice(0, 400) });
  }
  return lines;
}

class TokenReader {
  readonly tokens: Token[] = [];
  #word = '';
  #hasWord = false;
  #isQuoted = false;
  #isBroken = false;

  push(c: string): void {
    this.#word += c;
    this.#hasWord = true;
  }

  markQuoted(): void {
    this.#isQuoted = true;
    this.#hasWord = true;
  }

  markBroken(): void {
    this.#isBroken = true;
  }

  get word(): string {
    return this.#word;
  }

  end(): void {
    if (this.#hasWord && this.tokens.length < MAX_TOKENS)
      this.tokens.push({ text: this.#word, isOperator: false, isQuoted: this.#isQuoted, isBroken: this.#isBroken });
    this.#word = '';
    this.#hasWord = false;
    this.#isQuoted = false;
    this.#isBroken = false;
  }

  operator(text: string): void {
    this.end();
    if (this.tokens.length < MAX_TOKENS) this.tokens.push({ text, isOperator: true, isQuoted: false, isBroken: false });
  }
}

function tokenize(line: string): Token[] {
  const reader = new TokenReader();
  let inQuotes = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    const next = line[i + 1] ?? '';
    if (c === '\\' && next === '"' && inQuotes) {
      reader.push('"');
      i++;
    } else if (c === '"') {
      if (!inQuotes && /[a-z]$/i.test(reader.word) && /["a-z]/i.test(next)) reader.markBroken();
      inQuotes = !inQuotes;
      reader.markQuoted();
    } else if (inQuotes) reader.push(c);
    else if (c === '^' && next !== '') {
      if (/[a-z]/i.test(next) && reader.word !== '') reader.markBroken();
      reader.push(next);
      i++;
    } else if (/[\s,;]/.test(c) && !(c !== ' ' && c !== '\t' && reader.word !== '')) reader.end();
    else if (c === '&' || c === '|') {
      reader.operator(next === c ? c + c : c);
      if (next === c) i++;
    } else if (c === '(' || c === ')') reader.operator(c);
    else if (c === '<') reader.operator('<');
    else if (c === '>') i = redirect(reader, line, i);
    else reader.push(c);
  }
  reader.end();
  return reader.tokens;
}

/** `>`, `>>`, `2>`, and `2>&1`, which is left out; returns the last position read. */
function redirect(reader: TokenReader, line: string, at: number): number {
  const isNumbered = /^[0-9]$/.test(reader.word);
  const number = isNumbered ? reader.word : '';
  if (isNumbered) reader.end();
  if (isNumbered) reader.tokens.pop();
  const end = line[at + 1] === '>' ? at + 1 : at;
  if (line[end + 1] === '&') {
    reader.end();
    return end + 2;
  }
  reader.operator(`${number}>`);
  return end;
}
