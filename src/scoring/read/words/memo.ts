/** Caches values that several readings derive from one owner, by key. Lives as long as the owner. */
export class Memo {
  /** Values of readings that many others ask for, by the slot of the reading. */
  readonly by_slot: unknown[] = [];
  #values: Map<object | string, unknown> | null = null;

  /** The value cached under `key`; the first call makes it. A key always has values of one type. */
  get<T>(key: object | string, make: () => T): T {
    const known = this.#values?.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#values ??= new Map();
    this.#values.set(key, made);
    return made;
  }
}
