/** Values worked out once for an owner and asked for by several readings: by key, kept as long as the owner. */
export class Memo {
  #values: Map<object | string, unknown> | null = null;

  /** The value kept under `key`, made on the first call. One key always stands for one type. */
  get<T>(key: object | string, make: () => T): T {
    const known = this.#values?.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#values ??= new Map();
    this.#values.set(key, made);
    return made;
  }
}
