/** The facts of one event by name: taken from the readings when first asked for, derived ones added by rules. */
import type { Environment } from '../lang/conditions.ts';
import { FACTS, type FactValue } from './facts.ts';
import type { Readings } from './readings.ts';

/** Name → place in the table of facts. */
export const SLOTS: ReadonlyMap<string, number> = new Map(FACTS.map(({ name }, slot) => [name, slot]));

export class Facts implements Environment {
  readonly readings: Readings;
  /** Nobody asks: every fact has a value. */
  unevaluable = false;
  readonly #values = new Array<FactValue | undefined>(FACTS.length).fill(undefined);
  /** Made when a rule asserts the first one. */
  #derived: Set<string> | null = null;

  constructor(readings: Readings) {
    this.readings = readings;
  }

  /** Value of a fact, `undefined` when there is no such fact. */
  get(name: string): FactValue | undefined {
    const slot = SLOTS.get(name);
    return slot === undefined ? undefined : this.at(slot);
  }

  /** Value of the fact at this place of the table. */
  at(slot: number): FactValue {
    let value = this.#values[slot];
    if (value === undefined) this.#values[slot] = value = FACTS[slot]!.of(this.readings);
    return value;
  }

  isDerived(name: string): boolean {
    return this.#derived?.has(name) === true;
  }

  derive(name: string): void {
    (this.#derived ??= new Set()).add(name);
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
