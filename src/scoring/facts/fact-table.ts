/** The facts of one event by name: each is derived from the readings on first use; rules assert further ones. */
import type { Environment } from '../../lang/conditions/conditions.ts';
import type { Readings } from '../read/readings.ts';
import type { Finding, History } from '../types.ts';
import { FACTS, type FactValue } from './index.ts';

/** Fact name → its index in the table of facts. */
export const SLOTS: ReadonlyMap<string, number> = new Map(FACTS.map(({ name }, slot) => [name, slot]));

/** A copy of this costs less than filling an array. */
const NO_VALUES: readonly (FactValue | undefined)[] = FACTS.map(() => undefined);

/** Slots of the facts that depend on what is remembered. */
const FROM_PAST: readonly number[] = FACTS.flatMap(({ is_from_past }, slot) => (is_from_past ? [slot] : []));

/** Findings of rules that do not depend on the past. */
export interface Settled {
  /** The index of the rules that made the findings. */
  by: object;
  findings: readonly Finding[];
  /** Facts that these rules assert. */
  asserted: readonly string[];
}

export class Facts implements Environment {
  readonly readings: Readings;
  /** Never set by built-in rules: every fact that they read has a value. */
  unevaluable = false;
  readonly #values = NO_VALUES.slice();
  /** Created when a rule asserts the first fact. */
  #derived: Set<string> | null = null;
  /** Kept here by `chain`, so that another past does not try these rules again. */
  settled: Settled | null = null;

  constructor(readings: Readings) {
    this.readings = readings;
  }

  /** Replaces the history of the event. Facts that do not depend on it keep their values. */
  recall(history: History | null): void {
    this.readings.recall(history);
    for (const slot of FROM_PAST) this.#values[slot] = undefined;
    this.#derived = null;
  }

  /** Value of a fact; `undefined` if no fact has this name or it is not known. */
  get(name: string): FactValue | undefined {
    const slot = SLOTS.get(name);
    return slot === undefined ? undefined : this.at(slot);
  }

  /** Value of the fact in this slot. */
  at(slot: number): FactValue {
    let value = this.#values[slot];
    // The reading keeps what is not known.
    if (value === undefined) this.#values[slot] = value = FACTS[slot]!.of(this.readings);
    return value!;
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
