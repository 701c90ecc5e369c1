/** Values derived from one event that several readings need, computed once and kept with the reading's own copy of the event. */
import type { AgentEvent } from './event.ts';

const DERIVED = Symbol('derived values');

/** `of`: the copy that the values belong to. A copy of the copy has the property as well, and other values. */
interface Derived {
  of: AgentEvent;
  values: unknown[];
}

type WorkingCopy = AgentEvent & { [DERIVED]?: Derived };

/** A shallow copy that carries the derived values. The event itself is not changed. */
export function workingCopy(event: AgentEvent): AgentEvent {
  const copy: WorkingCopy = { ...event };
  copy[DERIVED] = { of: copy, values: [] };
  return copy;
}

let slots = 0;

/** `make`, computed once for each working copy, and at each call for any other event. */
export function perEvent<More extends unknown[], T extends object>(
  make: (event: AgentEvent, ...more: More) => T,
): (event: AgentEvent, ...more: More) => T {
  const slot = slots;
  slots += 1;
  return (event, ...more) => {
    const derived = (event as WorkingCopy)[DERIVED];
    if (derived === undefined || derived.of !== event) return make(event, ...more);
    return (derived.values[slot] ??= make(event, ...more)) as T;
  };
}
