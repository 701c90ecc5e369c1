/** What tools object to: a check of the agent's own work found a secret or a hole, a version control keeps what is recorded nowhere. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import type { TextReading } from './text.ts';

const signs = perOntology((ontology) => ({
  found: patternOf(ontology, 'check_objections', 'found'),
  nothing: patternOf(ontology, 'check_objections', 'nothing'),
  in_the_way: patternOf(ontology, 'work_in_the_way', 'reported'),
  given_up: patternOf(ontology, 'work_in_the_way', 'given_up'),
}));

/** Characters of the last result that are read, from its end: a check says last what it found. */
const MAX_RESULT = 16_384;

/** Results that are read, the last ones. */
const MAX_RESULTS = 6;

/**
 * Whether a check found a secret or a hole, and the user has not spoken since. The last result that reports findings, or none,
 * counts; results that report neither are ignored.
 */
export function checkFoundDanger(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const { found, nothing } = signs(ontology);
  const said = text.untrusted.slice(-MAX_RESULTS).map((one) => one.text.slice(-MAX_RESULT));
  const last = said.findLast((one) => nothing.test(one) || found.test(one));
  return last !== undefined && !nothing.test(last);
}

/**
 * Whether one of the last results refuses to overwrite changes that are recorded nowhere, and the user neither has spoken since nor
 * wants to be rid of them.
 */
export function workStandsInTheWay(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const { in_the_way, given_up } = signs(ontology);
  if (given_up.test(text.last_user_message.slice(-MAX_RESULT)) || given_up.test(text.trusted.slice(-MAX_RESULT)))
    return false;
  return text.untrusted.slice(-MAX_RESULTS).some((one) => in_the_way.test(one.text.slice(-MAX_RESULT)));
}
