/** What an entry of `ontology/programs/` tells the reader of its programs. */
import { type GappedSearch, searchOf } from '../../lang/gapped.ts';
import type { Ontology, ProgramEntry } from '../../ontology/index.ts';
import { alternatives } from '../../ontology/pattern.ts';
import type { Program } from '../shell/call.ts';

/** Makes the program that reads the commands of one entry. Runs once per ontology and entry. */
export type Reader = (k: Knowledge) => Program;
/** Readers by the name under which entries of `ontology/programs/` ask for them. */
export type Readers = Readonly<Record<string, Reader>>;

const NEVER = /(?!)/;

/**
 * One entry as its reader asks for it. What the reader asks for and the entry lacks is a problem, and so is what the entry
 * has and the reader does not ask for.
 */
export class Knowledge {
  readonly ontology: Ontology;
  readonly #entry: ProgramEntry;
  readonly #problems: string[];
  readonly #asked = new Set<string>();

  constructor(entry: ProgramEntry, ontology: Ontology, problems: string[]) {
    this.#entry = entry;
    this.ontology = ontology;
    this.#problems = problems;
  }

  /** Options in the order of the entry, without dashes: `recursive: [r, R, recursive]`. */
  options(name: string): readonly string[] {
    this.#asked.add(name);
    const words = this.#entry.words.get(name);
    if (words === undefined) this.#problems.push(`${this.#entry.where}: the list \`${name}\` is missing`);
    return words ?? [];
  }

  /** Words to look up: sub-commands, options that take a value, programs of this entry. */
  words(name: string): ReadonlySet<string> {
    return new Set(this.options(name));
  }

  /** The same, empty where the entry has no such list. */
  wordsOrNone(name: string): ReadonlySet<string> {
    this.#asked.add(name);
    return new Set(this.#entry.words.get(name) ?? []);
  }

  /** The source of a group that matches any one of these words, for a pattern whose grammar is code. */
  anyOf(name: string): string {
    return alternatives(this.options(name));
  }

  /** Whether the pattern is found. Wide gaps between its pieces (`s_client.{0,4096}-connect`) cost no more than narrow ones. */
  pattern(name: string): GappedSearch {
    return searchOf(this.expression(name));
  }

  /** The same pattern for a reader that needs where it is found. */
  expression(name: string): RegExp {
    const pattern = this.patternOrNone(name);
    if (pattern === null) this.#problems.push(`${this.#entry.where}: the pattern \`${name}\` is missing`);
    return pattern ?? NEVER;
  }

  /** The pattern, or `null` where the entry has none. */
  patternOrNone(name: string): RegExp | null {
    this.#asked.add(name);
    return this.#entry.patterns.get(name) ?? null;
  }

  /** Call last. */
  done(): void {
    for (const name of [...this.#entry.words.keys(), ...this.#entry.patterns.keys()])
      if (!this.#asked.has(name))
        this.#problems.push(`${this.#entry.where}: the reader \`${this.#entry.reader}\` does not use \`${name}\``);
  }
}
