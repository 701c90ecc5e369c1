/** The highest right of a system given where the user named none such: `Global Administrator` for a member of a group. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { wordsIn } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  highest: setOf(ontology, 'highest_right_words'),
  named: setOf(ontology, 'right_names'),
  switches: setOf(ontology, 'power_switches'),
}));

const MAX_LEAVES = 200;
const LONGEST = 96;
const STEM = 5;
const EVERYTHING = /^(?:\*|\*:\*|\*\.\*)$/;

/** The right that reaches everything, as the parameters have it, if the user's words name no such right; '' otherwise. */
export function highestRightUnasked(event: AgentEvent, ontology: Ontology, said: string): string {
  const { highest, named, switches } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const own = wordsIn(said);
  // A switch that gives such a power: `manageUsers: true`.
  const power = leaves.find(
    ({ name, value }) =>
      value === true &&
      switches.has(snakeCase(name)) &&
      !wordsOf(name).every((word) => own.some((one) => one.startsWith(word.slice(0, STEM)))),
  );
  const leaf =
    power ??
    leaves.find(({ name, value }) => {
      if (typeof value !== 'string' || value.length > LONGEST || !wordsOf(name).some((word) => named.has(word)))
        return false;
      return EVERYTHING.test(value) || wordsOf(value).some((word) => highest.has(word));
    });
  if (leaf === undefined) return '';
  const stems = [...highest].map((word) => word.slice(0, STEM));
  const isSaid = own.some((word) => stems.some((stem) => word.startsWith(stem)));
  return isSaid ? '' : leaf === power ? leaf.name : String(leaf.value);
}
