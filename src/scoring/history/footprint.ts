/** What an event touches, as far as memories look for it. */

/** The part of a trace that is known before the event is scored. */
export interface Footprint {
  action: string;
  domain: string;
  /** The effect: verb group of what it really does. */
  group: string;
  is_change: boolean;
  /** Base risk from which an action counts as high-impact. */
  is_high_impact: boolean;
  /** Type and id of the target, '' when none is named. */
  resource: string;
  /** Where data, money or rights go: addresses, hosts, accounts. In order. */
  places: string[];
  /** Sensitive classes of data that it read, in order. */
  classes: string[];
  /** A person or the customer's policy refused it. */
  is_refused: boolean;
  /** Files that it wrote and that would attack when they run, `effect path` each; absent while there are none. */
  wrote?: string[];
  /** Files that it runs, schedules or sends; absent while there are none. Not kept in the trace, nor is what follows. */
  runs?: string[];
  /** Files, tables, queues and other things that it names, in order; absent while there are none. */
  things?: string[];
  /** Sensitive classes of the values in its parameters, in order; absent while there are none. */
  payload?: string[];
  /** Its parameters may hold what was read before. */
  may_carry?: boolean;
  /** Data go, or may go, outside. */
  is_out?: boolean;
  /** The agent that delegated to this one, as the event states it. */
  parent?: string;
}

/** A footprint as it is kept. */
export type KeptFootprint = Omit<Footprint, 'runs' | 'things' | 'payload' | 'may_carry' | 'is_out' | 'parent'>;
