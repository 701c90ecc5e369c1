/**
 * Refuses regular expressions in `src/` that a text could make slow: `npm run check:expressions [-- FILE…]`.
 *
 * An expression whose repeats all have an upper bound takes a bounded number of steps from each character. One with `*`, `+` or
 * `{n,}` is given to `recheck`, with its bounds shortened, since they add a factor but no power; it must call it linear. What
 * `recheck` cannot read (look-around, references to groups) must be bounded, or carry a comment that says why it is linear, in
 * the line above: `// linear: REASON`, or `// input: at most N characters, REASON`. The loader of the ontology refuses
 * unbounded repeats in its patterns; expressions that are composed of them are checked as they are made.
 *
 * Expressions that were found safe are kept below `node_modules/.cache` and not checked again by the same version of `recheck`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync } from '@swc/core';
import recheck from 'recheck/package.json' with { type: 'json' };

// The program that comes with `recheck` for most systems takes less than half the time of its script, which is for the others.
process.env['RECHECK_BACKEND'] = 'auto';
const { check } = await import('recheck');

const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds for one expression; those that are fine take a few, on a machine with other work up to thousands. */
const TIMEOUT_MS = 60_000;
const EXCUSE = /\/\/ (?:linear: \S|input: at most [\d_]{1,9} characters, \S)/;

interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
  is_excused: boolean;
}

interface Node {
  type?: string;
  span?: { start: number };
  [key: string]: unknown;
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

function* literals(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* literals(one);
  else if (typeof value === 'object' && value !== null) {
    const node = value as Node;
    if (node.type === 'RegExpLiteral') yield node;
    for (const [key, inner] of Object.entries(node)) if (key !== 'span') yield* literals(inner);
  }
}

/** The expressions of a file, each with its line. */
function expressionsOf(path: string): Expression[] {
  const code = readFileSync(path, 'utf8');
  const lines = code.split('\n');
  let from = 0;
  return [...literals(parseSync(code, { syntax: 'typescript', target: 'es2024' }))].map((node) => {
    const [source, flags] = [String(node['pattern']), String(node['flags'])];
    const literal = `/${source}/${flags}`;
    const found = code.indexOf(literal, from);
    const at = found < 0 ? code.indexOf(literal) : found;
    if (found >= 0) from = found + literal.length;
    const line = code.slice(0, Math.max(0, at)).split('\n').length;
    const is_excused = lines.slice(Math.max(0, line - 3), line).some((text) => EXCUSE.test(text));
    return { file: relative(ROOT, path), line, source, flags, is_excused };
  });
}

/** The expression with short bounds, and whether one of its repeats has none. */
export function shortened(source: string): { short: string; is_bounded: boolean } {
  let short = '';
  let is_bounded = true;
  for (let i = 0; i < source.length; i++) {
    const c = source[i]!;
    if (c === '\\') {
      short += c + (source[++i] ?? '');
    } else if (c === '[') {
      const start = i;
      while (++i < source.length && source[i] !== ']') if (source[i] === '\\') i++;
      short += source.slice(start, i + 1);
    } else {
      const bounds = c === '{' ? /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(source.slice(i)) : null;
      if (bounds !== null) {
        const least = Math.min(Number(bounds[1]), 2);
        const has_end = bounds[2] === '' || bounds[3] !== '';
        is_bounded &&= has_end;
        short += bounds[2] === '' ? `{${least}}` : `{${least},${has_end ? Math.min(Number(bounds[3]), 3) : ''}}`;
        i += bounds[0].length - 1;
      } else {
        if (c === '*' || c === '+') is_bounded = false;
        short += c;
      }
    }
  }
  return { short, is_bounded };
}

const CACHE = join(ROOT, `node_modules/.cache/weir-expressions-${recheck.version}.json`);

/** The expressions that an earlier run found safe, shortened, with their flags. */
function readSafe(): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(CACHE, 'utf8')) as string[]);
  } catch {
    return new Set();
  }
}

const was_safe = readSafe();
const is_safe = new Set<string>();

/** What is wrong with the expression, '' when nothing is. */
async function problemOf({ source, flags, is_excused }: Expression): Promise<string> {
  const { short, is_bounded } = shortened(source);
  if (is_bounded || is_excused) return '';
  const checked_flags = flags.replace(/[dgy]/g, '');
  const key = `/${short}/${checked_flags}`;
  if (was_safe.has(key)) {
    is_safe.add(key);
    return '';
  }
  const found = await check(short, checked_flags, { checker: 'automaton', timeout: TIMEOUT_MS });
  if (found.status === 'safe') {
    is_safe.add(key);
    return '';
  }
  return found.status === 'vulnerable' ? `takes ${found.complexity.summary}` : `cannot be read (${found.error.kind})`;
}

/**
 * The expressions that the readers compose of words and patterns of the ontology: those that are made while the knowledge is
 * loaded, each where it is made.
 */
async function composed(): Promise<Expression[]> {
  const made = new Map<string, Expression>();
  const Plain = RegExp;
  const lines = new Map<string, string[]>();
  globalThis.RegExp = new Proxy(Plain, {
    construct(target, args: [string, string?]) {
      const { source, flags } = Reflect.construct(target, args) as RegExp;
      const place = /\/(src\/[\w./-]{1,200}):(\d{1,6}):\d{1,6}/.exec(new Error().stack ?? '');
      if (place !== null) {
        const [, file, line] = [place[0], place[1]!, Number(place[2])];
        const text = lines.get(file) ?? readFileSync(join(ROOT, file), 'utf8').split('\n');
        lines.set(file, text);
        const is_excused = text.slice(Math.max(0, line - 4), line).some((one) => EXCUSE.test(one));
        made.set(`${file} ${source}`, { file, line, source, flags, is_excused });
      }
      return Reflect.construct(target, args) as RegExp;
    },
  });
  try {
    const { loadKnowledge } = await import('../../src/engine/knowledge/knowledge.ts');
    await loadKnowledge();
  } finally {
    globalThis.RegExp = Plain;
  }
  return [...made.values()];
}

const given = process.argv.slice(2).map((path) => resolve(path));
const known = new Map<string, string>();
let [all, bad] = [0, 0];
const written = (given.length > 0 ? given : files(join(ROOT, 'src'))).flatMap(expressionsOf);
for (const expression of [...written, ...(given.length > 0 ? [] : await composed())]) {
  all++;
  const key = `${expression.is_excused} /${expression.source}/${expression.flags}`;
  const problem = known.get(key) ?? (await problemOf(expression));
  known.set(key, problem);
  if (problem === '') continue;
  bad++;
  console.error(`${expression.file}:${expression.line}: /${expression.source}/${expression.flags} ${problem}`);
}
if (given.length === 0) {
  mkdirSync(join(CACHE, '..'), { recursive: true });
  writeFileSync(CACHE, JSON.stringify([...is_safe].sort()));
}
console.log(`${all} expressions, ${bad} that a text could make slow`);
if (bad > 0) process.exitCode = 1;
