/** Code of other languages in SQL: functions and blocks written in them, and jobs of the server's scheduler that run programs. */
import type { Language } from '../world.ts';
import { add, type Statement, wordsOf } from './sql-statement.ts';

/** The language that a function or block is written in; '' for SQL and its own dialects. */
function languageOf(s: Statement): string {
  const at = s.tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'LANGUAGE');
  return wordsOf(s).code_languages.get(s.tokens[at + 1]?.text.toLowerCase() ?? '') ?? '';
}

/**
 * Reads the body of a function or block in a language that reaches beyond the database. Anyone who writes one calls it: the body counts
 * as run. False where the language is one of the database's own.
 */
export function runBody(s: Statement): boolean {
  const language = languageOf(s);
  const texts = s.tokens.filter(({ kind }) => kind === 'string');
  if (language === '') return false;
  if (language === 'library') {
    // A library beside those of the server is somebody's own.
    const library = texts.find(({ text }) => /[\\/]/.test(text) && !text.startsWith('$libdir'));
    if (library === undefined) return false;
    add(s, 'runs_code', 'one', library.text);
    add(s, 'escalates', 'one', library.text);
    return true;
  }
  const body = texts.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '');
  s.world.run(language as Language, body);
  return true;
}

/** A job of the scheduler of a server: one that runs programs does so on the machine below the database. */
export function noteJob(s: Statement, at: number): void {
  const { jobs, statement_opening } = wordsOf(s);
  const { text } = s.tokens[at]!;
  const next = s.tokens[at + 1]?.text ?? '';
  if (!jobs.makes.test(text) || next === '') return;
  const texts = s.tokens.slice(at + 1).filter(({ kind }) => kind === 'string');
  if (texts.some((one) => jobs.runs_programs.test(one.text))) {
    add(s, 'escalates', 'one', 'database server');
    add(s, 'persists', 'one', text.toLowerCase());
    for (const one of texts) s.world.run('shell', one.text);
  } else
    for (const one of texts)
      if (statement_opening.test(one.text.trimStart())) {
        add(s, 'persists', 'one', text.toLowerCase());
        s.world.run('sql', one.text);
      }
}
