/**
 * Remembering what a pure function of short names gave. The names of actions, tools, parameters and fields come back in
 * every event, so that splitting and looking them up once is enough. Nothing but time depends on what is remembered.
 */
import type { Ontology } from '../ontology.ts';

/** So many names are kept; then all are forgotten at once, which costs less than to know which one is the oldest. */
const MAX_NAMES = 4_096;
/** Longer texts are no names that come back. */
const LONGEST = 128;

/** `make`, asked once for each name as long as the name is remembered. Callers share the value: it must not be changed. */
export function remembering<T extends NonNullable<unknown> | null>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = make(name);
    if (name.length > LONGEST) return made;
    if (known.size >= MAX_NAMES) known.clear();
    known.set(name, made);
    return made;
  };
}

/** `make`, asked once for each ontology: its tables, and what is remembered of them. */
export function perOntology<T>(make: (ontology: Ontology) => T): (ontology: Ontology) => T {
  const known = new WeakMap<Ontology, { value: T }>();
  return (ontology) => {
    let held = known.get(ontology);
    if (held === undefined) {
      held = { value: make(ontology) };
      known.set(ontology, held);
    }
    return held.value;
  };
}

/** One name for several, told apart whatever they contain. */
export const joinedName = (first: string, second: string, third = ''): string =>
  `${first.length} ${second.length} ${first}${second}${third}`;
