/** Cuts code of a language without a grammar here (Ruby, PHP, Perl, Lua, Go) into tokens. Linear, and never fails. */
import { unescapeString } from '../decode.ts';

export interface Token {
  /** `name` with its sigil, `text` a string, `run` a command in backquotes, `number`, `sign`, `end` of a line. */
  kind: 'name' | 'text' | 'run' | 'number' | 'sign' | 'end';
  text: string;
  from: number;
  to: number;
  /** Of a text in which expressions stand (`#{x}`, `$x`): the code of each. */
  inside: readonly string[];
  /** A list of words without quotes: `%w[a b]`, `qw(a b)`. */
  is_words?: boolean;
  /** White space stands before it. */
  is_apart: boolean;
}

const MAX_TOKENS = 12_000;
const NO_CODE: readonly string[] = [];
const NAME = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*[?!]?/y;
const VARIABLE = /[$@]{1,2}[A-Za-z_]\w*|\$[0!?&@]/y;
const NUMBER = /0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?/y;
const SIGN = /::|->|=>|<<-?|&&|\|\||[=!<>+*/.-]=|\.\.|[^\s\w]/y;
const SPACE = /[ \t\r]+/y;
const COMMENT = /#[^\n{][^\n]*|#$|\/\/[^\n]*|--[ [][^\n]*/y;
/** How a comment over several lines opens → how it closes. */
const BLOCK_COMMENTS: readonly (readonly [opening: string, closing: string])[] = [
  ['/*', '*/'],
  ['=begin', '\n=end'],
];
const PERCENT = /%[xqQwWr]?([({[|!])/y;
/** `q(…)`, `qq{…}`, `qx(…)`, `qw[…]` of Perl. */
const QUOTE = /q[qxw]?([({[|!/])/y;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '|': '|', '!': '!', '/': '/' };
const HEREDOC = /<<[-~]?(['"]?)([A-Z_]{2,40})\1/y;

/** Where the string that opens at `from` ends, just behind its quote; the end of the code when it does not. */
function endOfString(code: string, from: number, quote: string): number {
  for (let i = from; i < code.length; i++) {
    if (code[i] === '\\') i++;
    else if (code[i] === quote) return i + 1;
  }
  return code.length;
}

const INSIDE = /#\{([^{}]{1,400})\}|\{?(\$[A-Za-z_]\w{0,64}(?:->\w{1,64}|\[[^\]]{0,80}\]|\{\w{1,64}\})?)\}?/g;

/** The texts between the expressions, joined by `hole`, and the expressions. */
export function partsOfString(body: string, hole: string): { text: string; inside: readonly string[] } {
  if (!body.includes('#{') && !body.includes('$')) return { text: unescapeString(body), inside: NO_CODE };
  const inside: string[] = [];
  const text = body.replace(INSIDE, (_all, ruby?: string, variable?: string) => {
    inside.push(ruby ?? variable!);
    return hole;
  });
  return { text: unescapeString(text), inside };
}

/** @param hole stands in a text for the value of an expression */
export function tokensOf(code: string, hole: string): { tokens: Token[]; was_cut: boolean } {
  const tokens: Token[] = [];
  let at = 0;
  let is_apart = false;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  const add = (kind: Token['kind'], text: string, to: number, inside = NO_CODE, is_words = false): void => {
    tokens.push({ kind, text, from: at, to, inside, is_apart, ...(is_words ? { is_words } : {}) });
    at = to;
    is_apart = false;
  };
  const closes = new Map<string, number>();
  /** Length of a comment over several lines that opens here. Where each closes next is searched for once. */
  const blockComment = (): number => {
    const kind = BLOCK_COMMENTS.find(([opening]) => code.startsWith(opening, at));
    if (kind === undefined) return 0;
    const [opening, closing] = kind;
    let end = closes.get(closing) ?? 0;
    if (end >= 0 && end < at + opening.length) {
      end = code.indexOf(closing, at + opening.length);
      closes.set(closing, end);
    }
    return end < 0 ? 0 : end + closing.length - at;
  };
  while (at < code.length) {
    if (tokens.length >= MAX_TOKENS) return { tokens, was_cut: true };
    const c = code[at]!;
    if (c === '\n' || c === ';') {
      add('end', c, at + 1);
      continue;
    }
    const blank = match(SPACE)?.[0].length ?? match(COMMENT)?.[0].length ?? blockComment();
    if (blank > 0) {
      at += blank;
      is_apart = true;
      continue;
    }
    if (c === "'" || c === '"' || c === '`') {
      const to = endOfString(code, at + 1, c);
      const body = code.slice(at + 1, to - 1);
      const { text, inside } = c === "'" ? { text: unescapeString(body), inside: NO_CODE } : partsOfString(body, hole);
      add(c === '`' ? 'run' : 'text', text, to, inside);
      continue;
    }
    const heredoc = match(HEREDOC);
    if (heredoc !== null) {
      const start = code.indexOf('\n', at);
      const close = start < 0 ? -1 : code.indexOf(`\n${heredoc[2]}`, start);
      const end = close < 0 ? code.length : close;
      const { text, inside } = partsOfString(start < 0 ? '' : code.slice(start + 1, end), hole);
      add('text', text, Math.min(code.length, end + (close < 0 ? 0 : heredoc[2]!.length + 1)), inside);
      continue;
    }
    const percent = match(PERCENT);
    const before = tokens.at(-1)?.kind;
    if (percent !== null && (before === undefined || before === 'sign' || before === 'end' || is_apart)) {
      const to = endOfString(code, at + percent[0].length, CLOSING[percent[1]!]!);
      const { text, inside } = partsOfString(code.slice(at + percent[0].length, to - 1), hole);
      add(percent[0][1] === 'x' ? 'run' : 'text', text, to, inside, /^%w/i.test(percent[0]));
      continue;
    }
    const quote = c === 'q' ? match(QUOTE) : null;
    if (quote !== null) {
      const to = endOfString(code, at + quote[0].length, CLOSING[quote[1]!]!);
      const body = code.slice(at + quote[0].length, to - 1);
      const isRun = quote[0][1] === 'x';
      const { text, inside } =
        isRun || quote[0][1] === 'q' ? partsOfString(body, hole) : { text: body, inside: NO_CODE };
      add(isRun ? 'run' : 'text', text, to, inside, quote[0][1] === 'w');
      continue;
    }
    const word = match(VARIABLE) ?? match(NAME);
    if (word !== null) {
      add('name', word[0], at + word[0].length);
      continue;
    }
    const number = match(NUMBER);
    if (number !== null) {
      add('number', number[0], at + number[0].length);
      continue;
    }
    const sign = match(SIGN);
    if (sign !== null) add('sign', sign[0], at + sign[0].length);
    else at++;
  }
  return { tokens, was_cut: false };
}
