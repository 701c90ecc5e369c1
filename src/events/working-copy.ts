/** Values derived from one event that several readings need, computed once and kept with the reading's own copy of the event. */
import type { AgentEvent } from './event.ts';

const DERIVED = Symbol('derived values');

type WorkingCopy = AgentEvent & { [DERIVED]?: unknown[] };

/** A shallow copy that carries the derived values. The event itself is not changed. */
export const workingCopy = (event: AgentEvent): AgentEvent => ({ ...event, [DERIVED]: [] }) as WorkingCopy;

let slots = 0;

/** `make`, computed once for each working copy, and at each call for any other event. */
export function perEvent<More extends unknown[], T extends object>(
  make: (event: AgentEvent, ...more: More) => T,
): (event: AgentEvent, ...more: More) => T {
  const slot = slots;
  slots += 1;
  return (event, ...more) => {
    const derived = (event as WorkingCopy)[DERIVED];
    if (derived === undefined) return make(event, ...more);
    return (derived[slot] ??= make(event, ...more)) as T;
  };
}
