/** The documents of `ontology/` by path; a missing file and a file in the wrong place are problems. */
import type { Problems } from './problems.ts';
import { Row } from './row.ts';
import type { OntologyDocument } from './terms.ts';

export class Files {
  readonly problems: Problems;
  readonly #contents: ReadonlyMap<string, unknown>;
  readonly #taken = new Set<string>();

  constructor(documents: readonly OntologyDocument[], problems: Problems) {
    this.problems = problems;
    // Sorted, so that nothing depends on the order in which the file system lists its files.
    const sorted = [...documents].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    this.#contents = new Map(sorted.map(({ path, content }) => [path, content]));
    if (this.#contents.size < documents.length) problems.add('ontology', 'two documents have the same path');
  }

  #row(path: string, content: unknown): Row {
    this.#taken.add(path);
    return new Row(content, path, this.problems);
  }

  /** The file at this path. */
  one(path: string): Row {
    if (!this.#contents.has(path)) this.problems.add(path, 'is missing');
    return this.#row(path, this.#contents.get(path) ?? {});
  }

  /** All files directly in this folder whose name does not begin with an underscore, by path. */
  folder(folder: string): Row[] {
    const inside = new RegExp(`^${folder}/[^_/][^/]*$`);
    const rows = [...this.#contents]
      .filter(([path]) => inside.test(path))
      .map(([path, content]) => this.#row(path, content));
    if (rows.length === 0) this.problems.add(folder, 'has no files');
    return rows;
  }

  /** Call last: a file that was not read is in the wrong place. */
  done(): void {
    for (const path of this.#contents.keys()) {
      if (!this.#taken.has(path))
        this.problems.add(path, 'is no file of the ontology; see ontology/README.md for what goes where');
    }
  }
}
