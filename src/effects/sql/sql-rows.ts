/** Statements that change or remove rows, or a table with all of them, and how many rows their conditions reach. */
import type { Scope } from '../effects.ts';
import { add, boundOf, isTemporary, nameAfter, type Statement, set, WHERE, wordsOf } from './sql-statement.ts';
import { findWord, type Token } from './sql-tokens.ts';

const SET = set('SET');
const JOIN_OR_USING = set('JOIN USING');
const JOIN_OR_FROM = set('JOIN FROM');

/** A join or a USING clause restricts a DELETE as a WHERE does. */
export function removeRows(s: Statement, table: string): void {
  const isJoined = findWord(s.tokens, JOIN_OR_USING) >= 0;
  const bound = boundOf(s) ?? (isJoined ? 'many' : null);
  if (bound === null) s.world.has_unbounded_statement = true;
  add(s, 'deletes', bound ?? 'everything', table);
  noteTable(s, table, bound ?? 'everything');
}

export function removeTable(s: Statement, table: string): void {
  if (!isTemporary(s, table)) s.world.has_unbounded_statement = true;
  add(s, 'deletes', 'everything', table);
  noteTable(s, table, 'everything');
}

export function noteTable(s: Statement, table: string, scope: Scope): void {
  const { logs, backups } = wordsOf(s).tables;
  if (logs.test(table)) add(s, 'tampers_with_logs', scope, table);
  if (backups.test(table) && scope !== 'one') add(s, 'destroys_recovery', scope, table);
}

/** `UPDATE a SET … FROM b WHERE b.late > 90`: the condition speaks of the other table alone, so every row of the first changes. */
function isUntied({ tokens }: Statement): boolean {
  const set = findWord(tokens, SET);
  const at = findWord(tokens, WHERE);
  const own = new Set(tokens.slice(1, set).map(({ text }) => text));
  const where = at < 0 ? [] : tokens.slice(at + 1);
  const isQualifier = (i: number): boolean => where[i + 1]?.text === '.';
  const isBare = ({ kind }: Token, i: number): boolean =>
    kind === 'word' && where[i - 1]?.text !== '.' && where[i + 1]?.kind === 'symbol' && !isQualifier(i);
  const others = where.filter((token, i) => token.kind === 'word' && isQualifier(i));
  return others.length > 0 && !others.some(({ text }) => own.has(text)) && !where.some(isBare);
}

export function updateRows(s: Statement): void {
  const { tables, columns, values } = wordsOf(s);
  const table = nameAfter(s, 'UPDATE');
  if (s.tokens[1]?.text === 'STATISTICS' && findWord(s.tokens, SET) < 0) {
    add(s, 'writes', 'one', table);
    return;
  }
  const isJoined = findWord(s.tokens, JOIN_OR_FROM) >= 0;
  const isTied = isJoined && findWord(s.tokens, WHERE) >= 0;
  const bound = isJoined && isUntied(s) ? null : (boundOf(s) ?? (isTied ? 'many' : null));
  if (bound === null) s.world.has_unbounded_statement = true;
  add(s, 'writes', bound ?? 'everything', table);
  if (tables.logs.test(table)) add(s, 'tampers_with_logs', bound ?? 'everything', table);
  const at = findWord(s.tokens, SET);
  const end = findWord(s.tokens, WHERE);
  const clause = s.tokens.slice(at + 1, end < 0 ? undefined : end);
  // A role may be that of a film: it is a right where people are kept, or where its value is one.
  const isRight = ({ text }: Token, value: Token | undefined): boolean =>
    columns.rights.test(text) ||
    (columns.roles.test(text) &&
      (tables.people.test(table) || value?.kind !== 'string' || values.high_rights.test(value.text)));
  if (
    tables.accounts.test(table) ||
    clause.some((token, i) => clause[i + 1]?.text === '=' && isRight(token, clause[i + 2]))
  )
    add(s, 'escalates', bound ?? 'everything', table);
}
