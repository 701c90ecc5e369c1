/** Variables that hold SQL: `DECLARE @s … = 'DROP …'`, `SET @s = CONCAT(…)`, and the statements that execute them. */
import { FROM, isKnown } from '../data.ts';
import { runText } from '../deeds/run-code.ts';
import type { World } from '../world.ts';
import { writtenBy } from './sql-server.ts';
import type { Token } from './sql-tokens.ts';
import { type SqlWords, sqlWords } from './sql-words.ts';

type Clauses = SqlWords['clauses'];

/** Tokens of one value, and between a variable that is declared and its value. */
const MAX_VALUE = 400;
const MAX_TYPE = 6;

/** Runs the text of each variable that is executed, where the code itself tells the text; says whether there was one. */
export function runVariables(tokens: readonly Token[], code: string, world: World): boolean {
  const { clauses } = sqlWords(world.ontology);
  let isRun = false;
  const texts = new Map<string, string>();
  for (const [i, { kind, text }] of tokens.entries()) {
    if (kind !== 'word' || !text.startsWith('@')) continue;
    const assigned = assignmentAt(tokens, i, clauses);
    const known = texts.get(text);
    if (assigned >= 0) {
      const value = writtenBy(valueAt(tokens, assigned + 1, clauses));
      const isAdded = tokens[assigned - 1]?.text === '+';
      if (isKnown(value)) texts.set(text, (isAdded ? (known ?? '') : '') + value.text);
      else texts.delete(text);
    } else if (known !== undefined && isExecuted(tokens, i, clauses)) {
      isRun = true;
      const from = tokens[Math.max(0, i - 2)]!.from;
      // The word with which it begins stands nowhere as such: pieces of it do, or numbers.
      const isHidden = !code.includes(/\w+/.exec(known)?.[0] ?? '');
      runText(world, 'sql', { text: known, taint: isHidden ? FROM.decoded : 0 }, code.slice(from, from + 120));
    }
  }
  return isRun;
}

/** Where the sign of an assignment to the variable at `i` stands; -1 where nothing is assigned. */
function assignmentAt(tokens: readonly Token[], i: number, { ends_value }: Clauses): number {
  const before = tokens[i - 1]?.text ?? '';
  const isDeclared = before === 'DECLARE';
  if (!isDeclared && before !== 'SET' && before !== 'SELECT' && before !== ',') return -1;
  for (let at = i + 1; at <= i + (isDeclared ? MAX_TYPE : 2); at++) {
    const text = tokens[at]?.text ?? ';';
    if (text === '=' || text === ':=' || text === '+=') return at;
    if (text === ';' || ends_value.has(text)) return -1;
  }
  return -1;
}

function valueAt(tokens: readonly Token[], from: number, { ends_value }: Clauses): readonly Token[] {
  const rest = tokens.slice(from, from + MAX_VALUE);
  const end = rest.findIndex(
    (t) => (t.kind === 'symbol' && t.text === ';') || (t.kind === 'word' && ends_value.has(t.text)),
  );
  return end < 0 ? rest : rest.slice(0, end);
}

/** `EXEC (@s)`, `EXEC sp_executesql @s`, `EXECUTE IMMEDIATE @s`, `PREPARE p FROM @s`. */
function isExecuted(tokens: readonly Token[], i: number, { executes_text }: Clauses): boolean {
  const before = tokens[tokens[i - 1]?.text === '(' ? i - 2 : i - 1];
  return (
    before?.kind === 'word' &&
    executes_text.has(before.text) &&
    (before.text !== 'FROM' || tokens[i - 3]?.text === 'PREPARE')
  );
}
