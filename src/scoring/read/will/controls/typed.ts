/** What is typed into a page and stands only in text from outside: the address that a review names. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { Argument } from '../../values/argument.ts';

const typedNames = perOntology((ontology) => setOf(ontology, 'typed_names'));
/** Kinds of values that say who somebody is, or where something goes. */
const TELLING: ReadonlySet<string> = new Set(['email', 'account']);

/** The value; '' if none is typed. What stands inside a longer text is quoted. */
export const typedFromOutside = (args: readonly Argument[], ontology: Ontology): string =>
  args.find(
    ({ path, kind, provenance }) =>
      TELLING.has(kind) && provenance === 'tool' && typedNames(ontology).has(path.toLowerCase()),
  )?.value ?? '';
