/** Shell code with a sign at which the grammar ends: the parser drops what follows, and another shell may run it. */
import { type ParsedScript, parse } from 'unbash';

/** Signs that are mended in one text, and in one that takes long to parse. */
const MAX_MENDS = 12;
const MAX_MENDS_OF_LONG = 2;
const LONG = 8_000;
const MAX_RUN = 512;
const UNEXPECTED = 'unexpected token';
/** Signs between commands, any number of them: `; rm x`, `&& ; rm x`, as texts are put behind a command. */
const SEPARATORS = /^[;&|][;&|\s]*/;

export interface Parsed {
  script: ParsedScript;
  /** The text that the script was parsed from. */
  text: string;
  has_errors: boolean;
  /** What follows the last sign that could not be mended. A shell that reads line by line runs it. */
  unread: string;
}

/**
 * Parses shell code. A separator that nothing stands before is dropped, and a bracket that the grammar does not expect is a sign
 * of the text (`echo x ALL=(ALL)`), unless a program follows it, which fish would run.
 *
 * @param isProgram whether a word is the name of a program
 */
export function parseLeniently(given: string, isProgram: (word: string) => boolean): Parsed {
  let text = given;
  let script = parse(text);
  const has_errors = script.errors !== undefined && script.errors.length > 0;
  const most = text.length > LONG ? MAX_MENDS_OF_LONG : MAX_MENDS;
  for (let i = 0; ; i++) {
    const at = script.errors?.find(({ message }) => message.startsWith(UNEXPECTED))?.pos;
    if (at === undefined || at >= text.length) return { script, text, has_errors, unread: '' };
    const mended = i < most ? mendAt(text, at, isProgram) : null;
    if (mended === null) return { script, text, has_errors, unread: linesBehind(text, at) };
    text = mended;
    script = parse(text);
  }
}

function linesBehind(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return end < 0 ? '' : text.slice(end + 1);
}

function mendAt(text: string, at: number, isProgram: (word: string) => boolean): string | null {
  const rest = text.slice(at, at + MAX_RUN);
  const separator = SEPARATORS.exec(rest)?.[0];
  if (separator !== undefined)
    return text.slice(0, at) + ' '.repeat(separator.length) + text.slice(at + separator.length);
  if (text[at] !== '(' && text[at] !== ')') return null;
  // The parser may take an opening bracket for that of a function, and stumble over the closing one.
  const before = text[at] === '(' ? at : text.lastIndexOf('(', at);
  const opens = before >= 0 && !/[$<>\\]/.test(text[before - 1] ?? '') ? before : -1;
  if (opens < 0) return `${text.slice(0, at)}\\${text.slice(at)}`;
  const [word = ''] = /^[\w./-]{1,40}/.exec(text.slice(opens + 1, opens + 48).trimStart()) ?? [];
  if (isProgram(word)) return `${text.slice(0, opens)}$${text.slice(opens)}`;
  if (opens === at) return `${text.slice(0, at)}\\${text.slice(at)}`;
  return `${text.slice(0, opens)}\\${text.slice(opens, at)}\\${text.slice(at)}`;
}
