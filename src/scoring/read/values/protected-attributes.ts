/** Traits by which nobody may be chosen or turned away, where an action decides about people by one of them. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singularsOf, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';

const words = perOntology((ontology) => ({
  traits: patternOf(ontology, 'protected_traits', 'name'),
  ways: setOf(ontology, 'words_of_choosing'),
  people: setOf(ontology, 'people_decided_about'),
  criteria: setOf(ontology, 'criterion_parameters'),
}));

const MAX_LEAVES = 64;
const LONGEST = 40;

/**
 * The trait by which the action chooses: the name of a condition (`exclude.gender`), or the value of a criterion (`criterion: nationality`).
 * '' where it decides about no people, or by nothing of the kind. A trait that is only stored or shown decides nothing.
 */
export function protectedTrait(event: AgentEvent, { name_words }: ActionReading, ontology: Ontology): string {
  const { ways, people, traits, criteria } = words(ontology);
  if (!name_words.some((word) => ways.has(word))) return '';
  if (!singularsOf(name_words.join('_')).some((word) => people.has(word))) return '';
  for (const { path, key, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    const above = wordsOf(path.replace(/\W+/g, '_'));
    if (!above.some((word) => criteria.has(word))) continue;
    if (traits.test(key)) return key.slice(0, LONGEST);
    if (typeof value === 'string' && value.length <= LONGEST && traits.test(value)) return value;
  }
  return '';
}
