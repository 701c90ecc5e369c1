/** Hash of a word → two bit sets. A plain open table: it is asked once for every word of a conversation. */
export class WordTable {
  #keys = new Int32Array(1024);
  #kinds = new Int32Array(1024);
  #marks = new Int32Array(1024);
  #count = 0;

  /** Adds bits to what the word already has. A word that hashes to 0 cannot be kept; none does. */
  add(hash: number, kinds: number, marks = 0): void {
    if (hash === 0) return;
    if (this.#count * 2 > this.#keys.length) this.#grow();
    const slot = this.#slot(hash);
    if (this.#keys[slot] === 0) this.#count++;
    this.#keys[slot] = hash;
    this.#kinds[slot]! |= kinds;
    this.#marks[slot]! |= marks;
  }

  /** Where the word stands, -1 when it is not in the table: for asking both bit sets with one look. */
  find(hash: number): number {
    const slot = this.#slot(hash);
    return this.#keys[slot] === 0 ? -1 : slot;
  }

  kindsAt(slot: number): number {
    return this.#kinds[slot]!;
  }

  marksAt(slot: number): number {
    return this.#marks[slot]!;
  }

  kinds(hash: number): number {
    return this.#kinds[this.#slot(hash)]!;
  }

  marks(hash: number): number {
    return this.#marks[this.#slot(hash)]!;
  }

  #slot(hash: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(hash, 0x9e3779b1) >>> 8;
    for (;;) {
      slot &= mask;
      const key = this.#keys[slot]!;
      if (key === hash || key === 0) return slot;
      slot++;
    }
  }

  #grow(): void {
    const keys = this.#keys;
    const kinds = this.#kinds;
    const marks = this.#marks;
    this.#keys = new Int32Array(keys.length * 2);
    this.#kinds = new Int32Array(keys.length * 2);
    this.#marks = new Int32Array(keys.length * 2);
    this.#count = 0;
    for (let i = 0; i < keys.length; i++) if (keys[i] !== 0) this.add(keys[i]!, kinds[i]!, marks[i]!);
  }
}
