/** What is wrong with the ontology's files: all of it at once, each problem with its file and entry. */
import { counted } from '../lang/english.ts';

/** One missing file makes hundreds of problems; the message shows the first, `problems` has all. */
const MAX_SHOWN = 20;

/** Thrown when the files do not fit together; `problems` has one line for each thing to mend. */
export class OntologyError extends Error {
  override name = 'OntologyError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, MAX_SHOWN);
    const rest = problems.length - shown.length;
    if (rest > 0) shown.push(`… and ${rest} more`);
    super(`the ontology has ${counted(problems.length, 'problem')}:\n${shown.join('\n')}`);
    this.problems = problems;
  }
}

/** Collects problems while the files are read. */
export class Problems {
  readonly #lines: string[] = [];

  /** `where` is a file, or a file and an entry; `what` begins in lower case. */
  add(where: string, what: string): void {
    this.#lines.push(`${where}: ${what}`);
  }

  throwIfAny(): void {
    if (this.#lines.length > 0) throw new OntologyError(this.#lines);
  }
}
