/**
 * Statements that no semicolon parts: T-SQL runs `SELECT 1 DROP TABLE x` as two, and blocks (`IF EXISTS (…) DROP …`, `BEGIN TRY …`) hold
 * others. And transactions that are rolled back, of which nothing stays.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { tableOf } from '../../ontology/words.ts';
import { splitStatements, type Token } from './sql-tokens.ts';

const batchWords = perOntology((ontology) => {
  const row = (name: string): ReadonlySet<string> => new Set(tableOf(ontology, 'sql_batches').get(name));
  return {
    /** Words that begin a statement → what follows them there; nothing: anything may. `DELETE` and others also stand within statements. */
    openings: new Map([...tableOf(ontology, 'sql_batch_openings')].map(([verb, next]) => [verb, new Set(next)])),
    continues: row('continues'),
    holds: row('holds'),
    begins: row('begins'),
    taken_back: row('taken_back'),
    rollback: row('rollback'),
    tried: row('tried'),
  };
});

/** The statements of a text: between semicolons, and where a word begins another one. */
export function statementsOf(tokens: readonly Token[], ontology: Ontology): Token[][] {
  return splitStatements(tokens).flatMap((statement) => splitBatch(statement, ontology));
}

function splitBatch(tokens: Token[], ontology: Ontology): Token[][] {
  const { holds } = batchWords(ontology);
  if (tokens.length < 3 || holds.has(tokens[0]!.text)) return [tokens];
  const found: Token[][] = [];
  let from = 0;
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'symbol') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (i === from || depth !== 0 || !opensStatement(tokens, i, ontology)) continue;
    found.push(tokens.slice(from, i));
    from = i;
    // What is created or altered may hold such words itself.
    if (holds.has(token.text)) break;
  }
  return [...found, tokens.slice(from)];
}

function opensStatement(tokens: readonly Token[], i: number, ontology: Ontology): boolean {
  const { openings, continues } = batchWords(ontology);
  const { kind, text } = tokens[i]!;
  if (kind !== 'word') return false;
  const followed = openings.get(text);
  if (followed === undefined) return false;
  const [before, next, second] = [tokens[i - 1]!, tokens[i + 1], tokens[i + 2]];
  if (before.kind === 'word' && continues.has(before.text)) return false;
  if (before.kind === 'symbol' && before.text !== ')') return false;
  if (next === undefined) return text === 'SHUTDOWN';
  if (followed.size > 0) return next.kind === 'word' && followed.has(next.text);
  // `UPDATE x SET`, with a schema or an alias.
  if (text === 'UPDATE') return tokens.slice(i + 2, i + 8).some((one) => one.kind === 'word' && one.text === 'SET');
  return next.kind === 'word' && second !== undefined;
}

/** Whether a statement changes rows, which a rollback takes back; a file that a query writes stays. */
export const changesRows = ([first]: readonly Token[], ontology: Ontology): boolean =>
  first !== undefined && batchWords(ontology).tried.has(first.text);

/** Whether the whole text is one transaction that ends with a rollback and does nothing that a rollback leaves. */
export function isTakenBack(statements: readonly (readonly Token[])[], ontology: Ontology): boolean {
  const { begins, taken_back, rollback } = batchWords(ontology);
  const firsts = statements.map(([first]) => first!.text);
  const ends = firsts.filter((word) => word === 'ROLLBACK').length;
  return (
    statements.length > 2 &&
    begins.has(firsts[0]!) &&
    firsts.at(-1) === 'ROLLBACK' &&
    ends === 1 &&
    statements.at(-1)!.every(({ text }) => rollback.has(text)) &&
    firsts.slice(1).every((word) => taken_back.has(word))
  );
}
