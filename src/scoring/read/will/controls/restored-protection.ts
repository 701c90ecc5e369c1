/** A protection that a call puts back in force, as the user says: `P3_DRYRUN_BYP` set to 0, `{ interlock: "on" }`. */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { namesBeside } from './limit-fields.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  passing: setOf(ontology, 'out_of_service_words'),
  nouns: setOf(ontology, 'guarding_words'),
  short: setOf(ontology, 'short_guard_names'),
}));

const MAX_LEAVES = 60;
const LONGEST_REQUEST = 4_096;
const SHORTEST = 4;

/**
 * True if each switch of the call puts a protection in force, one at least does, no number is set beside it, and the user's words name
 * the protection or that it was passed.
 */
export function restoresProtection(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  if (!text.has_request) return false;
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  const named: string[] = [];
  for (const leaf of leaves) {
    const isOn = switchOf(leaf, ontology);
    if (isOn === undefined) {
      if (typeof leaf.value === 'number') return false;
      continue;
    }
    const { passing, nouns, short } = words(ontology);
    const of_name = nameOf(leaf, event, ontology);
    const passed = of_name.filter((word) => passing.has(word));
    const guards = of_name.filter((word) => nouns.has(word) || short.has(word));
    if (passed.length > 0 ? isOn : guards.length === 0 || !isOn) return false;
    named.push(...of_name);
  }
  if (named.length === 0) return false;
  const said = foldedUserWords(text)
    .slice(-LONGEST_REQUEST)
    .split(/[^\p{L}]+/u)
    .map(singular);
  const { passing, nouns } = words(ontology);
  return said.some((word) => word.length >= SHORTEST && (nouns.has(word) || passing.has(word) || named.includes(word)));
}

function switchOf({ value }: Leaf, ontology: Ontology): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const { on, off } = words(ontology);
  const said = asciiLower(String(value).trim());
  return on.has(said) ? true : off.has(said) ? false : undefined;
}

const nameOf = (leaf: Leaf, event: AgentEvent, ontology: Ontology): readonly string[] => [
  ...singularsOf(leaf.name),
  ...namesBeside(leaf, event, ontology),
];
