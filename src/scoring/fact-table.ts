/** The facts of one event by name: taken from the readings when first asked for, derived ones added by rules. */
import { FACT_BY_NAME, type FactValue } from './facts.ts';
import type { Readings } from './readings.ts';

export class Facts {
  readonly readings: Readings;
  readonly #values = new Map<string, FactValue>();
  readonly #derived = new Set<string>();

  constructor(readings: Readings) {
    this.readings = readings;
  }

  /** Value of a fact, `undefined` when there is no such fact. */
  get(name: string): FactValue | undefined {
    let value = this.#values.get(name);
    if (value === undefined) {
      const fact = FACT_BY_NAME.get(name);
      if (fact === undefined) return undefined;
      value = fact.of(this.readings);
      this.#values.set(name, value);
    }
    return value;
  }

  isDerived(name: string): boolean {
    return this.#derived.has(name);
  }

  derive(name: string): void {
    this.#derived.add(name);
  }

  int(name: string): number {
    return this.get(name) as number;
  }
  bool(name: string): boolean {
    return this.get(name) as boolean;
  }
  string(name: string): string {
    return this.get(name) as string;
  }
  strings(name: string): readonly string[] {
    return this.get(name) as readonly string[];
  }
}
