import type { Ontology } from './index.ts';

/**
 * Memoizes `make` per ontology. A process scores with one ontology, so the result for the last one is kept beside the weak
 * map, which would otherwise be searched about a hundred times per event.
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
