/**
 * Remembering what a pure function of short names gave. The names of actions, tools, parameters and fields come back in
 * every event, so that splitting and looking them up once is enough. Nothing but time depends on what is remembered.
 */
/**
 * So many names are kept, more than one event can bring (the door takes 10,000 keys); then all are forgotten at once,
 * which costs less than to know which one is the oldest.
 */
const MAX_NAMES = 12_288;
/** Longer texts are no names that come back. */
const LONGEST = 160;

/** Values by name. They are shared by all who ask: nobody may change them. */
export class Recall<T extends NonNullable<unknown> | null> {
  readonly #known = new Map<string, T>();
  readonly #most: number;
  readonly #longest: number;

  /** Keeps at most so many values, of texts of at most so many characters. */
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

/** `make`, asked once for each name as long as the name is remembered. */
export function remembering<T extends NonNullable<unknown> | null>(make: (name: string) => T): (name: string) => T {
  const recall = new Recall<T>();
  return (name) => recall.get(name, make);
}

/** One name for several, told apart whatever they contain. */
export const joinedName = (first: string, second: string, third = ''): string =>
  `${first.length} ${second.length} ${first}${second}${third}`;
