/**
 * Memoizing pure functions of short names. The names of actions, tools, parameters and fields recur in every event, so they
 * are split and looked up once. Memoizing changes only the time that a result takes.
 */

/**
 * Most names that are kept, more than one event can contain (the door accepts 10,000 keys). Then all are dropped at once,
 * which costs less than tracking the oldest.
 */
const MAX_NAMES = 12_288;
/** Longer texts (characters) are not names and do not recur. */
const LONGEST = 160;

/** Memoized values by name. Callers share the values and must not change them. */
export class Recall<T extends NonNullable<unknown> | null> {
  readonly #known = new Map<string, T>();
  readonly #most: number;
  readonly #longest: number;

  /** Keeps at most `most` values, of texts of at most `longest` characters. */
  constructor(most = MAX_NAMES, longest = LONGEST) {
    this.#most = most;
    this.#longest = longest;
  }

  get(name: string, make: (name: string) => T): T {
    const found = this.#known.get(name);
    if (found !== undefined) return found;
    const made = make(name);
    if (name.length > this.#longest) return made;
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(name, made);
    return made;
  }
}

/** `make`, called once per name as long as the name is kept. */
export function remembering<T extends NonNullable<unknown> | null>(make: (name: string) => T): (name: string) => T {
  const recall = new Recall<T>();
  return (name) => recall.get(name, make);
}

/** One key for up to three names, unambiguous whatever they contain. */
export const joinedName = (first: string, second: string, third = ''): string =>
  `${first.length} ${second.length} ${first}${second}${third}`;

/** Characters that a text counts for besides its own: what is kept of a short one takes room as well. */
const LEAST_COST = 128;

/**
 * Memoized values of texts that come back for a while, such as the request of a session. The characters that it keeps are bounded
 * rather than the texts, so that it keeps many short ones. Once half of them are new, those that were not asked for since then are
 * dropped.
 */
export class RecentTexts<T extends NonNullable<unknown>> {
  #recent = new Map<string, T>();
  #older = new Map<string, T>();
  #characters = 0;
  readonly #most: number;
  readonly #longest: number;

  /** Keeps at most `most` characters of texts of at most `longest` each. */
  constructor(most: number, longest: number) {
    this.#most = most;
    this.#longest = longest;
  }

  get(text: string, make: (text: string) => T): T {
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    const value = this.#older.get(text) ?? make(text);
    if (text.length <= this.#longest) this.#keep(text, value);
    return value;
  }

  #keep(text: string, value: T): void {
    const cost = text.length + LEAST_COST;
    if (this.#characters + cost > this.#most / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#characters = 0;
    }
    this.#recent.set(text, value);
    this.#characters += cost;
  }
}
