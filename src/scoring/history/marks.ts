/**
 * Marks: what an event leaves for events of other agents and sessions of its customer. Most events leave none. A mark is a part of
 * the event's trace, so that the memory of a customer can be rebuilt from stored traces.
 */
import { inOrder } from '../../lang/in-order.ts';
import { HIGH } from '../level.ts';
import type { History } from '../types.ts';
import type { Footprint } from './footprint.ts';
import { nameOf } from './names.ts';

/**
 * Why an event is remembered beyond its agent and session: it was refused; it scored high and no person approved it; it is held
 * below high by the customer's policy, so that a person may refuse it; or it left sensitive data in a thing from which others may
 * take them.
 */
export type MarkKind = 'refused' | 'risky' | 'held' | 'left';

export interface Mark {
  kind: MarkKind;
  /** Keys of agent and session, '' for one that is not named. */
  agent: string;
  session: string;
  /** The agent that delegated to this one, '' if none is stated. */
  parent: string;
  /** The effect: verb group of what it really does. */
  group: string;
  /** Files, tables, queues and other things that it acts on. In order. */
  things: string[];
  /** Where it sends data outside. In order. */
  places: string[];
  /** Sensitive classes of what it writes or sends. In order. */
  classes: string[];
}

/** Who acts: keys, '' for what the event does not name. */
export type Actor = Pick<Mark, 'agent' | 'session' | 'parent'>;

/** So that a mark stays within about half a kilobyte. */
const MOST_THINGS = 6;
const MOST_PLACES = 4;
/** Hex digits: enough to tell the agents of one customer apart. */
const KEY_DIGITS = 16;

export const shortKey = (key: string | null | undefined): string => (key ?? '').slice(0, KEY_DIGITS);

export interface Scored {
  /** By the rules alone. */
  rule_score: number;
  /** The policy says that the event waits for a person. */
  is_held: boolean;
}

export function markOf(
  footprint: Footprint,
  history: History | null,
  { rule_score, is_held }: Scored,
  actor: Actor,
): Mark | undefined {
  const {
    things = [],
    places,
    payload = [],
    may_carry = false,
    is_out = false,
    group,
    is_change,
    is_refused,
  } = footprint;
  const seen = may_carry ? (history?.seen_classes ?? []) : [];
  const classes = inOrder([...payload, ...seen]);
  const outside = is_out ? places.slice(0, MOST_PLACES) : [];
  const has_left = is_change && !is_out && classes.length > 0 && things.length > 0;
  const trouble = is_refused ? 'refused' : rule_score >= HIGH ? 'risky' : is_held ? 'held' : null;
  const kind = things.length + outside.length > 0 && trouble !== null ? trouble : has_left ? 'left' : null;
  if (kind === null) return undefined;
  return { kind, ...actor, group: nameOf(group), things: things.slice(0, MOST_THINGS), places: outside, classes };
}
