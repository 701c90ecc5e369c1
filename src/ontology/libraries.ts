/** `libraries/`: calls of a language's libraries that act on the world, and the reader or the effect of each. */
import type { Files } from './files.ts';
import { putOnce, type Row } from './row.ts';
import type { CallEntry, Library } from './terms.ts';

const SCOPES: readonly string[] = ['scratch', 'one', 'many', 'everything'];

/**
 * The libraries of each language, by the name of the file. A call has one entry: a second one is a problem.
 *
 * Whether each reader exists is checked where the readers are: `src/effects/code/library-calls.ts`.
 */
export function readLibraries(files: Files): ReadonlyMap<string, Library> {
  const libraries = new Map<string, Library>();
  for (const file of files.folder('libraries')) {
    const homes = new Map<string, string>();
    const library: Library = {
      where: file.where,
      calls: file.rows('calls', 'reader').map((row) => readEntry(row, homes)),
      constants: file.has('constants') ? file.textMap('constants') : new Map(),
      module_aliases: file.has('module_aliases') ? file.textMap('module_aliases') : new Map(),
    };
    file.done();
    putOnce(libraries, file.where.replace(/^.*\/|\.yaml$/g, ''), library, file);
  }
  return libraries;
}

function readEntry(row: Row, homes: Map<string, string>): CallEntry {
  const kinds = ['reader', 'effect', 'returns'].filter((field) => row.has(field));
  if (kinds.length !== 1)
    row.problems.add(row.where, 'has none or several of `reader`, `effect` and `returns`; write one');
  const names = row.texts('names');
  if (names.length === 0) row.problems.add(row.where, '`names` is empty; name a call');
  const entry: CallEntry = {
    where: `${row.where} (${names[0] ?? ''})`,
    reader: row.textOr('reader', ''),
    effect: row.textOr('effect', ''),
    scope: row.textOr('scope', 'one'),
    object: row.textOr('object', ''),
    result: row.textsOr('result', []),
    returns: row.textOr('returns', ''),
    names,
  };
  row.done();
  if (entry.effect === '' && (row.has('scope') || row.has('object') || row.has('result')))
    row.problems.add(row.where, '`scope`, `object` and `result` belong to an `effect`; remove them');
  if (!SCOPES.includes(entry.scope))
    row.problems.add(row.where, `\`scope\` is \`${entry.scope}\`; write one of ${SCOPES.join(', ')}`);
  for (const name of names) {
    const home = homes.get(name);
    if (home === undefined) homes.set(name, entry.where);
    else row.problems.add(row.where, `the call \`${name}\` stands in ${home} already; keep one`);
  }
  return entry;
}
