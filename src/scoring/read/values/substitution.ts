/** Whether the user named another value for the role that this value fills. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternsOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { Corpus } from '../conversation/corpus.ts';
import type { Value } from '../words/normalise.ts';
import { namedValues } from './named-values.ts';

const words = perOntology((ontology) => ({
  /** The words by which a person gives a value to a role, right before the value. */
  giving: patternsOf(ontology, 'role_giving'),
  /** The verb that needs the role must stand near, else the value was given for another step. */
  verbs: patternsOf(ontology, 'role_verbs'),
}));
const COMPARED = new Set(['email', 'url', 'host', 'account', 'card']);

/** The value that the user gave for the same role and the same act; '' when the user gave none. */
export function replacedValue(
  role: string,
  value: Value,
  action: ActionReading,
  corpus: Corpus,
  ontology: Ontology,
): string {
  const giving = words(ontology).giving.get(role);
  const verb = words(ontology).verbs.get(action.effective_group);
  if (giving === undefined || verb === undefined || !COMPARED.has(value.kind)) return '';
  const given = namedValues(corpus).filter(
    (n) =>
      n.value.kind === value.kind && n.value.normal !== value.normal && giving.test(n.before) && verb.test(n.before),
  );
  return given[0]?.value.text ?? '';
}
