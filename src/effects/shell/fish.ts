/**
 * Turns what the fish shell writes in its own way into the words of a POSIX shell, so that one reader reads both: substitutions
 * without a dollar sign, `set` for variables, `and` and `or` between commands. `string`, which is a word of many languages, gets a name
 * of its own.
 */

import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf } from '../../ontology/words.ts';

const signs = perOntology((ontology) => anyOf(ontology, 'fish_signs'));
const HEAD = 4_000;

export const isFish = (code: string, ontology: Ontology): boolean => signs(ontology).test(code.slice(0, HEAD));

const SET =
  /^([ \t]{0,16}(?:begin[ \t]{1,8})?)set[ \t]{1,8}(?:-[\w-]{1,16}[ \t]{1,8}){0,4}([A-Za-z_]\w{0,64})[ \t]{1,8}(.{1,4000})$/;
const TEXTS = /^([ \t]{0,16})string[ \t]{1,8}(?=[a-z])/;
const INSIDE = /\(([ \t]{0,16})string[ \t]{1,8}(?=[a-z])/g;
const JOINED = /^[ \t]{0,16}(and|or)[ \t]{1,8}/;
const BLOCK = /^[ \t]{0,16}(?:begin|end)\b/;
/** Commands of one text that are turned. */
const MAX_COMMANDS = 500;

export function fromFish(code: string): string {
  let out = '';
  for (const [i, { text, end }] of commandsOf(substituted(code)).entries()) {
    if (i >= MAX_COMMANDS) break;
    const joined = JOINED.exec(text);
    const command = joined === null ? text : text.slice(joined[0].length);
    if (joined !== null) out = `${out.slice(0, -1)} ${joined[1] === 'and' ? '&&' : '||'} `;
    const plain = command.replace(BLOCK, '').replace(TEXTS, '$1fish-string ').replace(INSIDE, '($1fish-string ');
    const set = SET.exec(plain);
    out += (set === null ? plain : `${set[1]}${set[2]}=${asWord(set[3] ?? '')}`) + end;
  }
  return out;
}

/** The commands with what ends each of them, a semicolon or the end of the line, outside of quotes and brackets. */
function commandsOf(code: string): { text: string; end: string }[] {
  const found: { text: string; end: string }[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < code.length; i++) {
    const c = code[i]!;
    if (c === '\\' && quote !== "'") i++;
    else if (quote !== '' ? c === quote : c === '"' || c === "'") quote = quote === '' ? c : '';
    else if (quote === '' && (c === '(' || c === ')')) depth += c === '(' ? 1 : -1;
    else if (quote === '' && (c === '\n' || (c === ';' && depth <= 0))) {
      found.push({ text: code.slice(from, i), end: c });
      from = i + 1;
    }
  }
  found.push({ text: code.slice(from), end: '' });
  return found;
}

/** Several values of a variable are one text here; a substitution stays what it is. */
function asWord(value: string): string {
  const text = value.trim();
  const isQuoted = /^"[^"]{0,4000}"$|^'[^']{0,4000}'$/.test(text);
  if (!/\s/.test(text) || isQuoted) return text;
  if (text.startsWith('$(') && text.endsWith(')')) return text;
  return text.includes('"') ? text.replace(/\s/g, '\\ ') : `"${text}"`;
}

/** `(command)` outside of quotes prints what stands in its place. */
function substituted(code: string): string {
  let out = '';
  let quote = '';
  for (let i = 0; i < code.length; i++) {
    const c = code[i]!;
    if (c === '\\' && quote !== "'") {
      out += c + (code[++i] ?? '');
      continue;
    }
    if (quote === '' ? c === '"' || c === "'" : c === quote) quote = quote === '' ? c : '';
    const isOpening = c === '(' && quote === '' && !/[$<>=\w]/.test(code[i - 1] ?? ' ');
    out += isOpening ? '$(' : c;
  }
  return out;
}
