/** The shape of one row of the fact tables, and what several tables share. */
import { inOrder } from '../../lang/in-order.ts';
import type { Readings } from '../read/readings.ts';

export type FactType = 'bool' | 'int' | 'double' | 'string' | 'list<string>' | 'list<object>';

export type FactValue = boolean | number | string | readonly string[] | readonly object[];

/**
 * Whether a condition that lowers a score may read a fact, and how:
 *
 * - `fixed`: nothing that is added to the event changes it; a condition may read it as it likes.
 * - `grows`: whatever is added to the event only raises it: a number goes up, a truth value becomes true, a list gets longer
 *   or becomes unknown. A condition may ask whether it is low: `<=`, `NOT`, `all`, `NOT … in`.
 * - `reducers`: built-in reducers read it, each with its reason in `trust`: the user's own words bring it about, or it is one of
 *   several circumstances that no text brings about together. Conditions of a policy see no conversation and do not read it.
 * - `no`: the judged party can bring it about.
 */
export type Relief = 'fixed' | 'grows' | 'reducers' | 'no';

interface Row {
  name: string;
  type: FactType;
  /** One sentence for people: the meaning, units and range, and what stands for «nothing». */
  about: string;
  /** Version of the product that introduced the fact. */
  since: string;
  /**
   * The fact depends on free text (what the user or a tool said), which the judged party can write. A customer's condition
   * reads such a fact only in a rule that raises the score. Default false.
   */
  is_from_text?: true;
  /** Default `no`. */
  relief?: Relief;
  /** The fact depends on what is remembered, so it is read again when the same event meets another past. Default false. */
  is_from_past?: true;
  /** Of a `list<object>`: the fields of an element, by name and type. */
  fields?: Readonly<Record<string, FactType>>;
  /** How the fact follows from the readings of an event. `undefined`: it is not known; facts of structure only. */
  of: (r: Readings) => FactValue | undefined;
}

/**
 * A row as it is written. A public fact keeps its name, type and meaning between releases, so customers' conditions may
 * read it. Any other is internal to the built-in rules, and `nearest` names what a customer reads instead: a public fact,
 * or an expression over the fields of an event.
 */
export type FactRow = Row & ({ is_public: true } | { is_public: false; nearest: string });

/** A row with its defaults filled in. All facts have the same fields in the same order, which keeps reading them fast. */
export interface Fact {
  name: string;
  type: FactType;
  about: string;
  since: string;
  is_public: boolean;
  /** Empty for a public fact. */
  nearest: string;
  is_from_text: boolean;
  is_from_past: boolean;
  relief: Relief;
  fields: Readonly<Record<string, FactType>> | undefined;
  of: (r: Readings) => FactValue | undefined;
}

export const factOf = (row: FactRow): Fact => ({
  name: row.name,
  type: row.type,
  about: row.about,
  since: row.since,
  is_public: row.is_public,
  nearest: row.is_public ? '' : row.nearest,
  is_from_text: row.is_from_text === true,
  is_from_past: row.is_from_past === true,
  relief: row.relief ?? 'no',
  fields: row.fields,
  of: row.of,
});

/** Distinct values in sorted order, so that the order in which an event names things cannot change a result. */
export const unique = (values: readonly string[]): readonly string[] => (values.length < 2 ? values : inOrder(values));

/** Sensitive classes that the session has read, as the server itself remembers. */
export const classesKnown = (r: Readings): readonly string[] => r.evidence.history?.seen_classes ?? [];
