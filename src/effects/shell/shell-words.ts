/** Expansion of shell words: quotes, variables, command substitution, braces, as far as constants carry. */

import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { unquoted } from '../../lang/ends.ts';
import { bounded, type Data, FROM, HOLE, UNKNOWN } from '../data.ts';
import { unescapeString } from '../decode.ts';
import type { Field } from './call.ts';

/** What the expansion of words needs from its shell. */
export interface Expander {
  variable: (name: string) => Data;
  /** The elements of an array; one for a plain variable. */
  elements: (name: string) => readonly Data[];
  /** The entry of an array whose keys are words. */
  entry: (name: string, key: string) => Data | undefined;
  /** `$@` and `$*` as separate fields. */
  positional: () => readonly Data[];
  /** Separators at which unquoted expansions are split: white space, or what the script assigned to `IFS`. */
  separators: () => RegExp;
  /** Runs a command substitution and returns what it prints. */
  substitute: (read: () => ParsedScript | undefined, text: string) => Data;
  /** Runs the commands that stand in arithmetic. */
  calculate: (text: string) => void;
  noteObfuscation: (excerpt: string) => void;
  /** Whether the variable holds a path from the root, or several. */
  isPath: (name: string) => boolean;
  /** Whether the script checks that the variable holds something, or gives it each of several values. */
  isChecked: (name: string) => boolean;
  /** Current depth of nested parameter expansions. */
  depth: number;
}

interface Piece extends Data {
  /** From an unquoted expansion: split at the separators. */
  splits: boolean;
  isGlob: boolean;
  content?: Data;
  /** `"$@"`, brace lists: several words in place of one. */
  several?: readonly Data[];
}

const MAX_FIELDS = 64;

function piece(text: string, taint = 0, splits = false): Piece {
  return { text, taint, splits, isGlob: false };
}

/** Expands one word into zero or more fields. */
export function expandWord(word: Word, e: Expander): Field[] {
  const parts = word.parts;
  if (parts === undefined) return [{ text: word.value, taint: 0, hasGlob: false }];
  const fields = joinPieces(expandParts(parts, e), e.separators());
  if (fields.length === 1 && parts.length === 1 && parts[0]!.type === 'DoubleQuoted')
    fields[0]!.quoted = bounded(word.text.slice(1, -1).replace(/\\([$`"\\])/g, '$1'));
  return fields;
}

/** The word as one text: values of assignments, heredocs, quoted strings. */
export function expandText(word: Word | undefined, e: Expander): Data {
  if (word === undefined) return UNKNOWN;
  if (word.parts === undefined) return { text: word.value, taint: 0 };
  return joinText(word.parts, e);
}

export function joinText(parts: readonly WordPart[], e: Expander): Data {
  let text = '';
  let taint = 0;
  for (const p of expandParts(parts, e)) {
    text += p.several !== undefined ? p.several.map((d) => d.text).join(' ') : p.text;
    taint |= p.taint;
  }
  return { text: bounded(text), taint };
}

/** Expands the parts of a word. A variable that cannot be empty is expanded to two unknown parts before a slash, so that the word is not taken for the root. */
function expandParts(parts: readonly WordPart[], e: Expander): Piece[] {
  return parts.map((part, i) => {
    const piece = expandPart(part, e);
    const isFolder = piece.text === HOLE && parts[i + 1]?.text.startsWith('/') === true;
    return isFolder && holdsSomething(part, e) ? { ...piece, text: HOLE + HOLE } : piece;
  });
}

/** Whether the variable cannot be empty here: `${x:?}` ends the script otherwise, and a check of `x` keeps it from coming here. */
function holdsSomething(part: WordPart, e: Expander): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.length === 1 && holdsSomething(part.parts[0]!, e);
  if (part.type === 'SimpleExpansion') return e.isChecked(part.text.slice(1));
  if (part.type !== 'ParameterExpansion') return false;
  const { operation, parameter } = part;
  return (operation?.type === 'Default' && operation.operator.endsWith('?')) || e.isChecked(parameter);
}

function joinPieces(pieces: readonly Piece[], separators: RegExp): Field[] {
  if (pieces.some((p) => p.several !== undefined))
    return combine(pieces)
      .flatMap((row) => joinPieces(row, separators))
      .slice(0, MAX_FIELDS);
  const fields: Field[] = [];
  let open: Field | null = null;
  for (const p of pieces) {
    const words = p.splits && separators.test(p.text) ? p.text.split(separators) : [p.text];
    for (const [i, text] of words.entries()) {
      if (i > 0 && open !== null) {
        fields.push(open);
        open = null;
      }
      if (text === '' && p.splits) continue;
      open ??= { text: '', taint: 0, hasGlob: false };
      open.text = bounded(open.text + text);
      open.taint |= p.taint;
      if (p.isGlob || (p.splits && /[*?]/.test(text))) open.hasGlob = true;
      if (p.content !== undefined) open.content = p.content;
    }
  }
  if (open !== null) fields.push(open);
  return fields.filter((f, i) => f.text !== '' || i === 0).slice(0, MAX_FIELDS);
}

/** One row of pieces for each combination of the lists' items, at most `MAX_FIELDS` rows. */
function combine(pieces: readonly Piece[]): Piece[][] {
  let rows: Piece[][] = [[]];
  for (const p of pieces.slice(0, MAX_FIELDS)) {
    const choices =
      p.several === undefined ? [p] : p.several.map((d) => ({ ...piece(d.text, d.taint), isGlob: p.isGlob }));
    const some = rows.length >= MAX_FIELDS / 2 ? choices.slice(0, 1) : choices.slice(0, MAX_FIELDS);
    rows = rows.flatMap((row) => some.map((choice) => [...row, choice])).slice(0, MAX_FIELDS);
  }
  return rows;
}

function expandPart(part: WordPart, e: Expander): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return piece(part.value);
    case 'Glob':
      return { ...piece(part.value), isGlob: true };
    case 'ExtendedGlob':
      return { ...piece(part.text), isGlob: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandQuoted(part.parts, e);
    case 'SimpleExpansion':
      return expandVariable(part.text.slice(1), e);
    case 'ParameterExpansion':
      return expandParameter(part, e);
    case 'CommandExpansion':
      return { ...e.substitute(() => part.script, part.text), splits: true, isGlob: false };
    case 'ProcessSubstitution':
      if (part.operator === '>') return piece('/dev/fd/63');
      return { ...piece('/dev/fd/63'), content: e.substitute(() => part.script, part.text) };
    case 'BraceExpansion':
      return { ...piece(part.text), several: expandBraces(part.text) };
    case 'ArithmeticExpansion':
      e.calculate(part.text);
      return piece(HOLE);
    default:
      return piece(HOLE);
  }
}

function expandQuoted(parts: readonly WordPart[], e: Expander): Piece {
  const only = parts.length === 1 ? parts[0]! : null;
  if (only?.type === 'SimpleExpansion' && only.text === '$@') return { ...piece(''), several: e.positional() };
  if (only?.type === 'ParameterExpansion' && isAll(only) && only.operation === undefined)
    return { ...piece(''), several: only.parameter === '@' ? e.positional() : e.elements(only.parameter) };
  const joined = joinText(parts, e);
  return piece(joined.text, joined.taint);
}

function expandVariable(name: string, e: Expander): Piece {
  if (name === '@' || name === '*') return { ...piece(''), several: e.positional() };
  if (name === 'IFS') e.noteObfuscation(`\${${name}}`);
  const value = e.variable(name);
  return piece(value.text, value.taint, true);
}

/** `${x[@]}`, `${@}`: each element a word of its own. */
function isAll(part: ParameterExpansionPart): boolean {
  return part.prefix === undefined && (part.index?.text === '@' || part.parameter === '@');
}

const MAX_DEPTH = 8;

function expandParameter(part: ParameterExpansionPart, e: Expander): Piece {
  if (e.depth >= MAX_DEPTH) return piece(HOLE, 0, true);
  e.depth++;
  const expanded = expandOperation(part, e);
  e.depth--;
  return expanded;
}

function expandOperation(part: ParameterExpansionPart, e: Expander): Piece {
  const name = part.parameter;
  if (part.prefix === '!' && part.operation === undefined && part.index === undefined) {
    const named = e.variable(name).text;
    return /^\w+$/.test(named) ? expandVariable(named, e) : piece(HOLE, 0, true);
  }
  if (part.prefix !== undefined) return piece(HOLE, 0, true);
  const at = part.index === undefined ? '' : expandText(part.index, e).text;
  if (at === '@' || at === '*') {
    const all = e.variable(name);
    if (part.operation === undefined) return { ...piece(all.text, all.taint, true) };
    if (part.operation.type === 'Slice') return slicedElements(part.operation, e.elements(name), all, e);
  }
  const element = /^-?\d+$/.test(at)
    ? (e.elements(name).at(Number(at)) ?? UNKNOWN)
    : at === ''
      ? null
      : (e.entry(name, at) ?? null);
  const base = element === null ? expandVariable(name, e) : piece(element.text, element.taint, true);
  const operation = part.operation;
  if (operation === undefined) return base;
  const isUnknown = base.text === HOLE || base.text === '';
  switch (operation.type) {
    case 'Default': {
      if (operation.operator.endsWith('+')) return { ...expandText(operation.operand, e), splits: true, isGlob: false };
      if (!isUnknown || operation.operator.endsWith('?')) return base;
      const other = expandText(operation.operand, e);
      return piece(other.text, other.taint, true);
    }
    case 'Slice': {
      const from = Number(operation.offset.text);
      const length = operation.length === undefined ? undefined : Number(operation.length.text);
      // `${PWD:0:1}` is a slash, wherever this runs.
      if (from === 0 && length === 1 && e.isPath(part.parameter)) return piece('/', 0, true);
      if (isUnknown || !Number.isInteger(from) || (length !== undefined && !Number.isInteger(length)))
        return piece(HOLE, base.taint, true);
      return piece(base.text.slice(from, length === undefined ? undefined : from + length), base.taint, true);
    }
    case 'Replace': {
      const pattern = expandText(operation.pattern, e).text;
      if (isUnknown || pattern === '' || /[*?[]/.test(pattern)) return base;
      const to = expandText(operation.replacement, e).text;
      const text =
        operation.operator === '//' ? base.text.replaceAll(pattern, to) : base.text.replace(pattern, () => to);
      return piece(text, base.taint, true);
    }
    case 'Remove':
      return piece(
        isUnknown ? HOLE : removeAffix(base.text, operation.operator, expandText(operation.operand, e).text),
        base.taint,
        true,
      );
    case 'CaseModification': {
      const isUpper = operation.operator.startsWith('^');
      const changed = (text: string): string => (isUpper ? text.toUpperCase() : text.toLowerCase());
      const whole = operation.operator.length === 2 ? base.text.length : 1;
      return piece(changed(base.text.slice(0, whole)) + base.text.slice(whole), base.taint, true);
    }
    case 'Transform':
      return transformed(base, expandText(operation.operand, e).text);
    case 'Names':
      return piece(HOLE, base.taint, true);
    default:
      return base;
  }
}

/** `${x@P}` and its like. A prompt is expanded, escapes become characters, capitals change; quotes have no effect on what runs. */
function transformed(base: Piece, operator: string): Piece {
  const { text, taint } = base;
  if (operator === 'E') return piece(unescapeString(text), taint | (text.includes('\\') ? FROM.decoded : 0), true);
  if (operator === 'U') return piece(text.toUpperCase(), taint, true);
  if (operator === 'L') return piece(text.toLowerCase(), taint, true);
  return /^[PQK]$/.test(operator) ? base : piece(HOLE, taint, true);
}

/** `${x[@]:1:2}` */
function slicedElements(
  { offset, length }: { offset: Word; length: Word | undefined },
  elements: readonly Data[],
  all: Data,
  e: Expander,
): Piece {
  const from = Number(expandText(offset, e).text);
  const count = length === undefined ? elements.length : Number(expandText(length, e).text);
  if (!Number.isInteger(from) || !Number.isInteger(count)) return piece(HOLE, all.taint, true);
  const kept = elements.slice(from, from + count);
  return { ...piece(kept.map((k) => k.text).join(' '), all.taint, true) };
}

/** Handles the two common patterns: a literal, and a literal with a star before or after it. */
function removeAffix(text: string, operator: string, pattern: string): string {
  const literal = pattern.replace(/^\*|\*$/g, '');
  if (literal === '' || /[*?[]/.test(literal)) return HOLE;
  if (operator.startsWith('#')) {
    if (!pattern.startsWith('*')) return text.startsWith(literal) ? text.slice(literal.length) : text;
    const at = operator === '##' ? text.lastIndexOf(literal) : text.indexOf(literal);
    return at < 0 ? text : text.slice(at + literal.length);
  }
  if (!pattern.endsWith('*')) return text.endsWith(literal) ? text.slice(0, -literal.length) : text;
  const at = operator === '%%' ? text.indexOf(literal) : text.lastIndexOf(literal);
  return at < 0 ? text : text.slice(0, at);
}

/** `{a,b}` one level deep; `{1..9}` stands for something unknown. */
function expandBraces(text: string): Data[] {
  const inner = text.slice(1, -1);
  if (/\.\./.test(inner) || /[{}]/.test(inner)) return [{ text: HOLE, taint: 0 }];
  return inner.split(',').map((t) => ({ text: unquoted(t), taint: 0 }));
}
