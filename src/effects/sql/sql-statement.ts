/** One SQL statement: the objects it names, and the scope that its clauses allow. */
import type { EffectKind, Scope } from '../effects.ts';
import type { World } from '../world.ts';
import { findWord, type Token } from './sql-tokens.ts';
import { isTautology, isUndone } from './sql-where.ts';
import { type SqlWords, sqlWords } from './sql-words.ts';

export const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
export const WHERE = set('WHERE');

export interface Statement {
  tokens: readonly Token[];
  text: string;
  world: World;
  /** The code executes a text that is known and was read. */
  executes_known?: boolean;
  /** The statements behind it. */
  following?: readonly (readonly Token[])[];
}

/** The name, with its schema, after the first of these words that has one; '' when none has. */
export function nameAfter(s: Statement, ...words: string[]): string {
  const { before_name } = wordsOf(s).clauses;
  for (const word of words) {
    const at = s.tokens.findIndex((t) => t.kind === 'word' && t.text === word);
    if (at < 0) continue;
    let i = at + 1;
    while (i < s.tokens.length && (before_name.has(s.tokens[i]!.text) || /^\d+$/.test(s.tokens[i]!.text))) i++;
    const name = nameAt(s, i);
    if (name !== '') return name;
  }
  return '';
}

function nameAt(s: Statement, at: number): string {
  const parts: string[] = [];
  for (let i = at; i < s.tokens.length; i += 2) {
    const t = s.tokens[i]!;
    if (t.kind !== 'word' && t.kind !== 'name' && t.kind !== 'string' && t.text !== '*') break;
    parts.push(t.kind === 'word' ? t.text.toLowerCase() : t.text);
    if (s.tokens[i + 1]?.text !== '.') break;
    // `master..xp_cmdshell` omits the schema.
    if (s.tokens[i + 2]?.text === '.') i++;
  }
  return parts.join('.');
}

export const wordsOf = (s: Statement): SqlWords => sqlWords(s.world.ontology);
export const isTemporary = (s: Statement, table: string): boolean => wordsOf(s).tables.temporary.test(table);

export function add(s: Statement, kind: EffectKind, scope: Scope, object: string): void {
  s.world.add(kind, isTemporary(s, object) ? 'scratch' : scope, object, s.text);
}

/** The scope that WHERE and LIMIT leave to a statement; `null` when neither bounds it. Notes a condition that was undone. */
export function boundOf(s: Statement): Scope | null {
  const { clauses, columns } = wordsOf(s);
  const limit = findWord(s.tokens, clauses.limit);
  const at = findWord(s.tokens, WHERE);
  if (at < 0) return limit >= 0 && head(s) !== 'UPDATE' ? 'many' : null;
  const end = findWord(s.tokens, clauses.begin_after_condition, at);
  const where = s.tokens.slice(at + 1, end < 0 ? undefined : end);
  if (isUndone(where)) s.world.add('bypasses_checks', 'many', 'condition that always holds', s.text);
  if (isTautology(where)) return null;
  const isKeyed = where.some(
    (t, i) => t.text === '=' && columns.keys.test(where[i - 1]?.text ?? '') && where[i + 1]?.kind !== 'word',
  );
  return isKeyed && !where.some((t) => t.text === 'OR') ? 'one' : 'many';
}

export const head = (s: Statement): string => s.tokens[0]?.text ?? '';
