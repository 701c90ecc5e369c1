/** One row of the table of facts, and short ways to write it. */
import { inOrder } from '../../lang/in-order.ts';
import type { Readings } from '../read/readings.ts';

export type FactType = 'bool' | 'int' | 'double' | 'string' | 'list<string>' | 'list<object>';

export type FactValue = boolean | number | string | readonly string[] | readonly object[];

export interface Fact {
  name: string;
  type: FactType;
  about: string;
  is_from_text: boolean;
  is_from_past: boolean;
  /** For `list<object>`: the fields a binding has, by name and type. */
  fields?: Readonly<Record<string, FactType>>;
  of: (r: Readings) => FactValue;
}

export function row(name: string, type: FactType, about: string, of: Fact['of'], more: Partial<Fact> = {}): Fact {
  return { name, type, about, of, is_from_text: false, is_from_past: false, ...more };
}

/** For facts that free text can change. */
export const fromText = { is_from_text: true };

/** For facts that change with what is remembered of agent and session. */
export const fromPast = { is_from_past: true };

/** Sorted, so that the order in which an event names things cannot show. */
export const unique = (values: readonly string[]): readonly string[] => (values.length < 2 ? values : inOrder(values));
