/** The facts of one event by name: taken from the readings when first asked for, derived ones added by rules. */
import type { Environment } from '../../lang/conditions.ts';
import type { Readings } from '../read/readings.ts';
import type { Finding, History } from '../types.ts';
import { FACTS, type FactValue } from './index.ts';

/** Name → place in the table of facts. */
export const SLOTS: ReadonlyMap<string, number> = new Map(FACTS.map(({ name }, slot) => [name, slot]));

/** Places of the facts that another past may change. */
const FROM_PAST: readonly number[] = FACTS.flatMap(({ is_from_past }, slot) => (is_from_past ? [slot] : []));

/** What rules found that ask for nothing of the past. */
export interface Settled {
  /** The rules' index. */
  by: object;
  findings: readonly Finding[];
  /** Facts that they assert. */
  asserted: readonly string[];
}

export class Facts implements Environment {
  readonly readings: Readings;
  /** Nobody asks: every fact has a value. */
  unevaluable = false;
  readonly #values = new Array<FactValue | undefined>(FACTS.length).fill(undefined);
  /** Made when a rule asserts the first one. */
  #derived: Set<string> | null = null;
  /** Kept here by `chain`, which need not ask these rules again. */
  settled: Settled | null = null;

  constructor(readings: Readings) {
    this.readings = readings;
  }

  /** Puts a history beside the event; what no past can change stays as it was found. */
  recall(history: History | null): void {
    this.readings.recall(history);
    for (const slot of FROM_PAST) this.#values[slot] = undefined;
    this.#derived = null;
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
