/**
 * Statements that no semicolon parts: T-SQL runs `SELECT 1 DROP TABLE x` as two, and blocks (`IF EXISTS (…) DROP …`, `BEGIN TRY …`) hold
 * others. And transactions that are rolled back, of which nothing stays.
 */
import { splitStatements, type Token } from './sql-tokens.ts';

/** Words that begin a statement, and what follows them there; `DELETE` and others also stand within statements. */
const OPENINGS: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ['DELETE', new Set(['FROM', 'TOP'])],
  ['UPDATE', null],
  ['INSERT', new Set(['INTO', 'OVERWRITE'])],
  [
    'DROP',
    new Set([
      'TABLE',
      'DATABASE',
      'SCHEMA',
      'VIEW',
      'INDEX',
      'USER',
      'ROLE',
      'LOGIN',
      'PROCEDURE',
      'FUNCTION',
      'TRIGGER',
    ]),
  ],
  ['TRUNCATE', new Set(['TABLE'])],
  ['ALTER', new Set(['TABLE', 'DATABASE', 'ROLE', 'USER', 'LOGIN', 'SERVER', 'AUTHORIZATION'])],
  ['CREATE', new Set(['TABLE', 'LOGIN', 'USER'])],
  ['EXEC', null],
  ['EXECUTE', new Set(['AS', 'IMMEDIATE'])],
  ['BACKUP', new Set(['DATABASE'])],
  ['SHUTDOWN', null],
]);
/** Before such a word the next one belongs to the same statement: `ON DELETE CASCADE`, `FOR UPDATE`, `DO UPDATE SET`. */
const CONTINUES = new Set(
  'ON FOR KEY DO THEN AFTER BEFORE OF OR AND GRANT REVOKE DENY EXPLAIN ANALYZE ANALYSE VERBOSE AS NO INSTEAD WITH'.split(
    ' ',
  ),
);
/** Statements that hold such words, and whose own parts they begin. */
const HOLDS_THEM = new Set('CREATE ALTER GRANT REVOKE DENY WITH EXPLAIN MERGE COMMENT DO'.split(' '));

const BEGINS = new Set(['BEGIN', 'START']);
/** What a rollback takes back in any database; a change of the schema ends the transaction in some of them. */
const TAKEN_BACK = new Set(
  'SELECT INSERT UPDATE DELETE WITH SHOW SET SAVEPOINT BEGIN START ROLLBACK EXPLAIN VALUES TABLE'.split(' '),
);

/** The statements of a text: between semicolons, and where a word begins another one. */
export function statementsOf(tokens: readonly Token[]): Token[][] {
  return splitStatements(tokens).flatMap(splitBatch);
}

function splitBatch(tokens: Token[]): Token[][] {
  if (tokens.length < 3 || HOLDS_THEM.has(tokens[0]!.text)) return [tokens];
  const found: Token[][] = [];
  let from = 0;
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'symbol') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (i === from || depth !== 0 || !opensStatement(tokens, i)) continue;
    found.push(tokens.slice(from, i));
    from = i;
    // What is created or altered may hold such words itself.
    if (HOLDS_THEM.has(token.text)) break;
  }
  return [...found, tokens.slice(from)];
}

function opensStatement(tokens: readonly Token[], i: number): boolean {
  const { kind, text } = tokens[i]!;
  if (kind !== 'word') return false;
  const followed = OPENINGS.get(text);
  if (followed === undefined) return false;
  const [before, next, second] = [tokens[i - 1]!, tokens[i + 1], tokens[i + 2]];
  if (before.kind === 'word' && CONTINUES.has(before.text)) return false;
  if (before.kind === 'symbol' && before.text !== ')') return false;
  if (next === undefined) return text === 'SHUTDOWN';
  if (followed !== null) return next.kind === 'word' && followed.has(next.text);
  // `UPDATE x SET`, with a schema or an alias.
  if (text === 'UPDATE') return tokens.slice(i + 2, i + 8).some((one) => one.kind === 'word' && one.text === 'SET');
  return next.kind === 'word' && second !== undefined;
}

/** Whether the whole text is one transaction that ends with a rollback and does nothing that a rollback leaves. */
export function isTakenBack(statements: readonly (readonly Token[])[]): boolean {
  const firsts = statements.map(([first]) => first!.text);
  const ends = firsts.filter((word) => word === 'ROLLBACK').length;
  return (
    statements.length > 2 &&
    BEGINS.has(firsts[0]!) &&
    firsts.at(-1) === 'ROLLBACK' &&
    ends === 1 &&
    statements.at(-1)!.every(({ text }) => ['ROLLBACK', 'TRANSACTION', 'TRAN', 'WORK'].includes(text)) &&
    firsts.every((word) => TAKEN_BACK.has(word))
  );
}
