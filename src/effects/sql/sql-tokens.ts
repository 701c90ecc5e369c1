/**
 * Tokenizer for SQL in any common dialect: comments, strings, quoted names, numbers, operators. Takes linear time and accepts
 * any text.
 */

export interface Token {
  kind: 'word' | 'name' | 'string' | 'number' | 'symbol';
  /** Words in upper case; names and strings without their quotes. */
  text: string;
  from: number;
  to: number;
}

const SPACE = /\s/;
const WORD_START = /[A-Za-z_\u0080-\uffff@#$]/;
const WORD = /[\w$#@\u0080-\uffff]/;
/** Tokens that are read of one text. */
export const MAX_TOKENS = 20_000;

export function readTokens(sql: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < sql.length && tokens.length < MAX_TOKENS) {
    const c = sql[i]!;
    const next = sql[i + 1];
    if (SPACE.test(c)) i++;
    else if ((c === '-' && next === '-') || (c === '#' && (next === ' ' || next === undefined))) i = lineEnd(sql, i);
    else if (c === '/' && next === '*') i = skipComment(sql, i);
    else if (c === '*' && next === '/') i += 2;
    else if (c === "'" || ((c === 'E' || c === 'e' || c === 'N' || c === 'n') && next === "'"))
      i = readQuoted(sql, c === "'" ? i : i + 1, "'", 'string', tokens);
    else if (c === '"' || c === '`') i = readQuoted(sql, i, c, 'name', tokens);
    else if (c === '[' && /^\[[\w $.-]{1,64}\]/.test(sql.slice(i, i + 66))) i = readQuoted(sql, i, ']', 'name', tokens);
    else if (c === '$' && /^\$\w*\$/.test(sql.slice(i, i + 66))) i = readDollar(sql, i, tokens);
    else if (WORD_START.test(c)) i = readWord(sql, i, tokens);
    else if (/\d/.test(c)) i = readNumber(sql, i, tokens);
    else i = readSymbol(sql, i, tokens);
  }
  return tokens;
}

function lineEnd(sql: string, from: number): number {
  const at = sql.indexOf('\n', from);
  return at < 0 ? sql.length : at;
}

/** Skips a comment. MySQL runs the content of executable comments (`/*!50000 … *\/`), so only their opening is skipped. */
function skipComment(sql: string, from: number): number {
  const executable = /^\/\*!\d{0,6}/.exec(sql.slice(from, from + 10));
  if (executable !== null) return from + executable[0].length;
  const end = sql.indexOf('*/', from + 2);
  return end < 0 ? sql.length : end + 2;
}

function readQuoted(sql: string, from: number, quote: string, kind: Token['kind'], tokens: Token[]): number {
  let i = from + 1;
  while (i < sql.length) {
    if (sql[i] === '\\' && quote === "'" && sql[i + 1] !== undefined) i += 2;
    else if (sql[i] !== quote) i++;
    else if (sql[i + 1] === quote) i += 2;
    else break;
  }
  const body = sql.slice(from + 1, i).replaceAll(quote + quote, quote);
  tokens.push({ kind, text: body, from, to: Math.min(i + 1, sql.length) });
  return i + 1;
}

function readDollar(sql: string, from: number, tokens: Token[]): number {
  const tag = /^\$\w*\$/.exec(sql.slice(from, from + 66))![0];
  const end = sql.indexOf(tag, from + tag.length);
  // A quote that is not closed extends to the end of the text.
  const to = end < 0 ? sql.length : end + tag.length;
  tokens.push({ kind: 'string', text: sql.slice(from + tag.length, end < 0 ? to : end), from, to });
  return to;
}

function readWord(sql: string, from: number, tokens: Token[]): number {
  let i = from + 1;
  while (i < sql.length && WORD.test(sql[i]!)) i++;
  tokens.push({ kind: 'word', text: sql.slice(from, i).toUpperCase(), from, to: i });
  return i;
}

function readNumber(sql: string, from: number, tokens: Token[]): number {
  let i = from + 1;
  while (i < sql.length && /[\w.]/.test(sql[i]!)) i++;
  tokens.push({ kind: 'number', text: sql.slice(from, i), from, to: i });
  return i;
}

function readSymbol(sql: string, from: number, tokens: Token[]): number {
  const two = sql.slice(from, from + 2);
  const length = /^(?:<>|!=|<=|>=|\|\||::|:=)$/.test(two) ? 2 : 1;
  tokens.push({ kind: 'symbol', text: sql.slice(from, from + length), from, to: from + length });
  return from + length;
}

/** Splits tokens into statements, at semicolons and at the word `GO`. */
export function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [];
  let current: Token[] = [];
  for (const t of tokens) {
    if ((t.kind === 'symbol' && t.text === ';') || (t.kind === 'word' && t.text === 'GO' && current.length > 0)) {
      if (current.length > 0) statements.push(current);
      current = [];
    } else current.push(t);
  }
  if (current.length > 0) statements.push(current);
  return statements;
}

/** Splits tokens at those, outside parentheses, for which `isCut` holds. */
export function splitAt(tokens: readonly Token[], isCut: (t: Token) => boolean): Token[][] {
  const out: Token[][] = [[]];
  let depth = 0;
  for (const t of tokens) {
    if (t.text === '(' && t.kind === 'symbol') depth++;
    if (t.text === ')' && t.kind === 'symbol') depth--;
    if (depth === 0 && isCut(t)) out.push([]);
    else out.at(-1)!.push(t);
  }
  return out;
}

/** Index of the first of these words outside parentheses; -1 when there is none. */
export function findWord(tokens: readonly Token[], words: ReadonlySet<string>, from = 0): number {
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const t = tokens[i]!;
    if (t.kind === 'symbol' && t.text === '(') depth++;
    else if (t.kind === 'symbol' && t.text === ')') depth--;
    else if (i >= from && depth === 0 && t.kind === 'word' && words.has(t.text)) return i;
  }
  return -1;
}
