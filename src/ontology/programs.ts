/** `programs/`: programs that command lines name, the mechanism that reads each, and the words that it needs. */
import type { Files } from './files.ts';
import { readPattern } from './pattern.ts';
import type { Row } from './row.ts';
import type { ProgramEntry } from './terms.ts';

/**
 * All programs. A program has one entry: a second one is a problem that names both files.
 *
 * Whether a reader exists and finds all it asks for is checked where the readers are: `src/effects/programs/index.ts`.
 */
export function readPrograms(files: Files): ProgramEntry[] {
  const homes = new Map<string, string>();
  return files.folder('programs').flatMap((file) => {
    const entries = file.rows('programs', 'reader').map((row) => readEntry(row, homes));
    file.done();
    return entries;
  });
}

function readEntry(row: Row, homes: Map<string, string>): ProgramEntry {
  const words = new Map<string, readonly string[]>();
  const patterns = new Map<string, RegExp>();
  const reader = row.text('reader');
  const names = row.texts('names');
  if (names.length === 0) row.problems.add(row.where, '`names` is empty; name a program');
  for (const name of names) {
    if (name !== name.toLowerCase())
      row.problems.add(row.where, `the program \`${name}\` has capitals; programs are compared in lower case`);
    const home = homes.get(name);
    if (home === undefined) homes.set(name, row.where);
    else row.problems.add(row.where, `the program \`${name}\` stands in ${home} already; keep one`);
  }
  row.textOr('note', '');
  for (const field of row.names()) {
    if (field === 'reader' || field === 'names' || field === 'note') continue;
    if (!row.holdsRow(field)) words.set(field, row.texts(field));
    else {
      const pattern = row.row(field);
      patterns.set(field, readPattern(pattern, ''));
      pattern.done();
    }
  }
  row.done();
  return { where: `${row.where} (${names[0] ?? ''})`, reader, names, words, patterns };
}
