import type { Ontology } from './index.ts';

/**
 * `make`, asked once for each ontology: its tables, and what is remembered of them. A process scores with one ontology, so
 * that the last one asked for is nearly always the one; a weak map alone would be looked into a hundred times an event.
 */
export function perOntology<T>(make: (ontology: Ontology) => T): (ontology: Ontology) => T {
  const known = new WeakMap<Ontology, { ontology: Ontology; value: T }>();
  let last: { ontology: Ontology; value: T } | null = null;
  return (ontology) => {
    if (last !== null && last.ontology === ontology) return last.value;
    let held = known.get(ontology);
    if (held === undefined) {
      held = { ontology, value: make(ontology) };
      known.set(ontology, held);
    }
    last = held;
    return held.value;
  };
}
