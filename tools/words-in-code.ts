/**
 * Counts the words that stand in code instead of in `ontology/`: `npm run words [-- --files] [-- --show FILE]`.
 *
 * Counted are, in the pure rooms (no tests): strings in lists of three or more, strings and quoted keys in tables of four or more
 * rows, words in texts that are split at blanks or passed on as lists, and alternatives of regular expressions that spell a
 * word. Names that the code itself declares (members of its types, fields of its interfaces and of events, facts) are counted
 * apart. What is left must be grammar (of a language, of a format, of English), not knowledge of the world.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from '@swc/core';
import { eventSchema } from '../src/events/event-schema.ts';
import { FACTS } from '../src/scoring/facts/index.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ROOMS = ['lang', 'events', 'ontology', 'effects', 'scoring'];
const LONG_LIST = 3;
const LONG_TABLE = 4;
const WORD = /[\p{L}]{2,}/u;

interface Counted {
  listed: string[];
  /** Of the words in lists, those that the code declares. */
  own: string[];
  alternatives: string[];
}

type Node = { type?: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (isNode(value)) {
    if (typeof value.type === 'string') yield value;
    for (const [key, inner] of Object.entries(value)) if (key !== 'span') yield* nodesOf(inner);
  }
}

const textOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node['value']);
  if (node.type === 'TemplateLiteral' && (node['expressions'] as unknown[]).length === 0)
    return String((node['quasis'] as { cooked: string }[])[0]?.cooked ?? '');
  if (node.type === 'TsConstAssertion' || node.type === 'TsAsExpression' || node.type === 'ParenthesisExpression')
    return textOf(node['expression']);
  return null;
};

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => WORD.test(word));

/** `'p s d group shell'`: four or more plain words, as the options of a program are written in `src/effects`. */
const isWordList = (text: string | null): boolean => text !== null && /^[\w.:+/*-]+(?: [\w.:+/*-]+){3,}$/.test(text);

/** Functions of a file that split a text at blanks: what is passed to them is a list of words. */
function splitters(code: string): Set<string> {
  const names = new Set<string>();
  for (const [, name] of code.matchAll(
    /(?:function|const) (\w+)[^\n]{0,80}\n?[^\n]{0,120}\.split\((?:' '|\/\\s\+\/)\)/g,
  ))
    names.add(name!);
  return names;
}

/** Alternatives of a pattern that spell a word of two letters or more; a pattern without `|` has none. */
export function alternativesOf(pattern: string): string[] {
  const found: string[] = [];
  const groups: { parts: string[]; has_bar: boolean }[] = [{ parts: [''], has_bar: false }];
  const add = (text: string): void => {
    const group = groups.at(-1)!;
    group.parts[group.parts.length - 1] += text;
  };
  const end = ({ parts, has_bar }: { parts: string[]; has_bar: boolean }): void => {
    if (has_bar) found.push(...parts.filter((part) => WORD.test(part)));
  };
  for (let i = 0; i < pattern.length; i += 1) {
    const c = pattern[i]!;
    if (c === '\\') {
      const escaped = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|.)/s.exec(
        pattern.slice(i),
      )![0];
      add(/^\\[a-zA-Z]/.test(escaped) ? ' ' : escaped.slice(1));
      i += escaped.length - 1;
    } else if (c === '[') {
      let at = i + 1;
      while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1;
      add(' ');
      i = at;
    } else if (c === '(') {
      const head = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(pattern.slice(i))![0];
      groups.push({ parts: [''], has_bar: false });
      i += head.length - 1;
    } else if (c === ')' && groups.length > 1) {
      end(groups.pop()!);
      add(' ');
    } else if (c === '|') {
      const group = groups.at(-1)!;
      group.has_bar = true;
      group.parts.push('');
    } else add(c);
  }
  for (const group of groups) end(group);
  return found;
}

/** Names that files declare: literals in their types, fields of their interfaces. */
function* declaredIn(code: string): Generator<string> {
  for (const node of nodesOf(parseSync(code, { syntax: 'typescript', target: 'es2024' }))) {
    if (node.type === 'TsLiteralType') {
      const text = textOf(node['literal']);
      if (text !== null) yield text;
    }
    if (node.type === 'TsPropertySignature') yield String((node['key'] as Node)['value']);
  }
}

/** Names of fields in a JSON Schema, at every depth. */
function* fieldsOf(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'properties') yield* Object.keys(inner as object);
    yield* fieldsOf(inner);
  }
}

function count(code: string, has_options: boolean): Counted {
  const counted: Counted = { listed: [], own: [], alternatives: [] };
  const split = splitters(code);
  const seen = new Set<Node>();
  const sort = (text: string): void => {
    for (const word of wordsIn(text)) counted[OWN.has(word) ? 'own' : 'listed'].push(word);
  };
  const take = (node: Node): void => {
    const text = textOf(node);
    if (text === null || seen.has(node)) return;
    seen.add(node);
    sort(text);
  };
  const program = parseSync(code, { syntax: 'typescript', target: 'es2024' });
  for (const node of nodesOf(program)) {
    if (node.type === 'RegExpLiteral') counted.alternatives.push(...alternativesOf(String(node['pattern'])));
    if (node.type === 'ArrayExpression') {
      const texts = (node['elements'] as ({ expression: Node } | null)[]).flatMap((one) =>
        one === null ? [] : [one.expression],
      );
      if (texts.filter((one) => textOf(one) !== null).length >= LONG_LIST) texts.forEach(take);
    }
    if (node.type === 'ObjectExpression') {
      const rows = (node['properties'] as Node[]).filter((row) => row.type === 'KeyValueProperty');
      const values = rows.map((row) => row['value'] as Node);
      const is_table =
        rows.length >= LONG_TABLE &&
        values.every((value) => /StringLiteral|NumericLiteral|ArrayExpression/.test(value.type ?? ''));
      if (is_table) {
        for (const row of rows) {
          const key = row['key'] as Node;
          if (key.type === 'Identifier') sort(String(key['value']));
          else take(key);
        }
        values.forEach(take);
      } else if (rows.length >= LONG_TABLE) rows.map((row) => row['key'] as Node).forEach(take);
    }
    if (node.type === 'CallExpression') {
      const callee = node['callee'] as Node;
      const args = (node['arguments'] as { expression: Node }[]).map((one) => one.expression);
      const property = isNode(callee['property']) ? String(callee['property']['value']) : '';
      if (property === 'split' && isNode(callee['object'])) take(callee['object'] as Node);
      if (callee.type === 'Identifier' && split.has(String(callee['value']))) args.forEach(take);
      if (has_options) for (const arg of args) if (isWordList(textOf(arg))) take(arg);
    }
  }
  return counted;
}

const { values } = parseArgs({ options: { files: { type: 'boolean' }, show: { type: 'string' } } });
const totals = new Map(ROOMS.map((room) => [room, { listed: 0, own: 0, alternatives: 0 }]));
const rows: { file: string; listed: number; alternatives: number }[] = [];
const OWN = new Set([
  ...ROOMS.flatMap((room) => sources(join(ROOT, 'src', room)))
    .values()
    .flatMap((path) => declaredIn(readFileSync(path, 'utf8'))),
  ...fieldsOf(eventSchema),
  ...FACTS.map(({ name }) => name),
]);
for (const room of ROOMS) {
  for (const path of sources(join(ROOT, 'src', room))) {
    const file = relative(ROOT, path);
    const own = count(readFileSync(path, 'utf8'), room === 'effects');
    totals.get(room)!.listed += own.listed.length;
    totals.get(room)!.own += own.own.length;
    totals.get(room)!.alternatives += own.alternatives.length;
    rows.push({ file, listed: own.listed.length, alternatives: own.alternatives.length });
    if (values.show !== undefined && file.endsWith(values.show)) console.log(own);
  }
}
if (values.files)
  for (const row of rows
    .filter((one) => one.listed + one.alternatives > 0)
    .sort((a, b) => b.listed + b.alternatives - a.listed - a.alternatives))
    console.log(`${String(row.listed).padStart(5)} ${String(row.alternatives).padStart(5)}  ${row.file}`);
let [listed, declared, alternatives] = [0, 0, 0];
for (const [room, own] of totals) {
  console.log(
    `src/${room}: ${own.listed} words in lists, ${own.alternatives} alternatives in regular expressions; ${own.own} names of its own`,
  );
  listed += own.listed;
  declared += own.own;
  alternatives += own.alternatives;
}
console.log(
  `all: ${listed} and ${alternatives}, ${listed + alternatives} words; ${declared} names that the code declares`,
);
