/** What the checks of the agent's own work object to: a hook, a scan or a pipeline found a secret or a hole. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import type { TextReading } from './text.ts';

const signs = perOntology((ontology) => ({
  found: patternOf(ontology, 'check_objections', 'found'),
  nothing: patternOf(ontology, 'check_objections', 'nothing'),
}));

/** Characters of the last result that are read, from its end: a check says last what it found. */
const MAX_RESULT = 16_384;

/** Whether the last result says that a check found a secret or a hole, and the user has not spoken since. */
export function checkFoundDanger(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const last = text.untrusted.at(-1)?.text.slice(-MAX_RESULT) ?? '';
  const { found, nothing } = signs(ontology);
  return found.test(last) && !nothing.test(last);
}
