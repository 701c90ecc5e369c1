/**
 * Whether the user asks what an action would do, and the action is told to do no more than that: `dry_run: true` for «how many
 * records would a purge remove?». A parameter alone proves nothing: not every tool heeds it.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';

const words = perOntology((ontology) => ({
  names: setOf(ontology, 'rehearsal_parameters'),
  on: setOf(ontology, 'rehearsal_values'),
  option: patternOf(ontology, 'dry_run', 'given'),
  taken_back: patternOf(ontology, 'dry_run', 'taken_back'),
  asked: anyOf(ontology, 'rehearsal_wishes'),
}));

const MAX_LEAVES = 200;
const LONGEST = 8_192;

export function isAskedRehearsal(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  if (!text.has_request || !isRehearsal(event, ontology)) return false;
  return words(ontology).asked.test(foldedUserWords(text).slice(0, LONGEST));
}

function isRehearsal(event: AgentEvent, ontology: Ontology): boolean {
  const { names, on, option, taken_back } = words(ontology);
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const isOption = ({ path, value }: Leaf, of: RegExp): boolean =>
    typeof value === 'string' && path.endsWith(']') && of.test(value);
  if (leaves.some((leaf) => isOption(leaf, taken_back))) return false;
  return leaves.some(
    (leaf) => (names.has(leaf.name) && on.has(asciiLower(String(leaf.value)))) || isOption(leaf, option),
  );
}
