/** Bits of a word: its verb groups and classes of grammar, and the injection markers whose patterns have the word. */
export interface WordBits {
  kinds: number;
  marks: number;
}

/** Hash of a word → its bits. */
export class WordTable {
  readonly #words = new Map<number, WordBits>();

  /** Adds bits to those that the word has already. */
  add(hash: number, kinds: number, marks = 0): void {
    const known = this.#words.get(hash);
    if (known === undefined) this.#words.set(hash, { kinds, marks });
    else {
      known.kinds |= kinds;
      known.marks |= marks;
    }
  }

  get(hash: number): Readonly<WordBits> | undefined {
    return this.#words.get(hash);
  }

  /** 0 for an unknown word. */
  kinds(hash: number): number {
    return this.#words.get(hash)?.kinds ?? 0;
  }
}
