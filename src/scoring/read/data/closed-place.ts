/** A release to a place that only the person concerned or the own people see: results to «his portal», a page on the intranet. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { singularsOfUser } from '../conversation/user-words.ts';

const words = perOntology((ontology) => ({
  places: setOf(ontology, 'closed_places'),
  names: setOf(ontology, 'release_parameters'),
}));

const LONGEST = 48;
const MAX_LEAVES = 100;

/** Whether a parameter names such a place and the user's own words do, too. */
export function goesToClosedPlace(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const { places, names } = words(ontology);
  const named = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ name, value }) => names.has(name) && typeof value === 'string' && value.length <= LONGEST)
    .map(({ value }) =>
      wordsOf(String(value))
        .map(singular)
        .find((word) => places.has(word)),
    );
  if (named.length === 0 || named.includes(undefined)) return false;
  const said = singularsOfUser(text);
  return named.every((place) => said.has(place!));
}
