/**
 * Guards of a table that a migration makes anew: `DROP POLICY IF EXISTS p ON t; CREATE POLICY p ON t …`. It can be run twice, and
 * when it is done the guard is there.
 */
import { nameAfter, type Statement, wordsOf } from './sql-statement.ts';
import type { Token } from './sql-tokens.ts';

/** Statements behind the removal in which the new guard is sought. */
const MAX_AHEAD = 16;

/** Whether one of the statements that follow makes the guard again, on the same table, so that it guards. */
export function isMadeAgain(s: Statement, kind: string, name: string): boolean {
  if (name === '' || !has(s.tokens, 'EXISTS') || !wordsOf(s).objects.remade.has(kind)) return false;
  const table = tableOf(s);
  return (s.following ?? []).slice(0, MAX_AHEAD).some((tokens) => {
    const next: Statement = { ...s, tokens };
    if (tokens[0]?.text !== 'CREATE' || !has(tokens, kind) || nameAfter(next, kind) !== name) return false;
    return (table === '' || tableOf(next) === table) && guards(next, name);
  });
}

const has = (tokens: readonly Token[], word: string): boolean =>
  tokens.some(({ kind, text }) => kind === 'word' && text === word);

const tableOf = (s: Statement): string => nameAfter(s, 'ON');

/** A condition that is always or never met guards nothing, and what records has to show what it does. */
function guards(s: Statement, name: string): boolean {
  const { guard_deeds, told_deeds } = wordsOf(s).clauses;
  if (has(s.tokens, 'TRUE') || has(s.tokens, 'FALSE') || isTautology(s.tokens)) return false;
  const does = (words: ReadonlySet<string>): boolean =>
    s.tokens.some(({ kind, text }) => kind === 'word' && words.has(text));
  return does(wordsOf(s).tables.logs.test(name) ? told_deeds : guard_deeds);
}

/** `1 = 1` */
const isTautology = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }, i) => text === '=' && tokens[i - 1]?.text === tokens[i + 1]?.text);
