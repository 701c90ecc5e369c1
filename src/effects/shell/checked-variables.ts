/** Which variables of a script cannot be empty where they are used: the script checks them, or a loop or `read` sets them. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';

export const variableChecks = perOntology((ontology) => {
  const named = patternOf(ontology, 'checked_variables', 'named');
  return { all: patternOf(ontology, 'checked_variables', 'all'), named: new RegExp(named.source, 'g') };
});

/** Longer scripts are searched up to here. */
const MAX_SCRIPT = 20_000;

/** Tells of a script's variables whether they are checked; what a caller hands over counts as checked. */
export function checkedVariables(source: string, ontology: Ontology): (name: string) => boolean {
  let names: ReadonlySet<string> | 'all' | null = null;
  return (name) => {
    names ??= checkedIn(source.slice(0, MAX_SCRIPT), ontology);
    return names === 'all' || /^\d+$/.test(name) || names.has(name);
  };
}

function checkedIn(source: string, ontology: Ontology): ReadonlySet<string> | 'all' {
  const { all, named } = variableChecks(ontology);
  if (all.test(source)) return 'all';
  return new Set([...source.matchAll(named)].map(({ groups }) => groups?.['name'] ?? ''));
}
