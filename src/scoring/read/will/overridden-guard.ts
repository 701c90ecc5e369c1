/** A lock, an interlock, a check or an exception that a parameter overrides, of which the user's words say nothing. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, namesNothing, singular, singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldedUserWords } from '../conversation/user-words.ts';
import { takesOutOfService } from './controls/disabled-safety.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  overriding: setOf(ontology, 'overriding_words'),
  guards: setOf(ontology, 'guard_nouns'),
  checks: setOf(ontology, 'skippable_checks'),
  demanding: setOf(ontology, 'demanding_words'),
  containers: setOf(ontology, 'guard_containers'),
  skipped: setOf(ontology, 'skipped_states'),
  spoken: setOf(ontology, 'override_spoken_words'),
}));

const MAX_LEAVES = 200;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 80;
const LONGEST_REQUEST = 8_192;

/** The parameter that overrides a guard, '' if none does or the user speaks of overriding, or of the guard itself. */
export function overriddenGuard(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const found = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .map((leaf) => ({ leaf, guards: guardsOverriddenBy(leaf, ontology) }))
    .find(({ guards }) => guards.length > 0);
  if (found === undefined) return '';
  const { spoken } = words(ontology);
  const said = foldedUserWords(text)
    .slice(0, LONGEST_REQUEST)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  return said.some((word) => spoken.has(word) || found.guards.includes(singular(word))) ? '' : found.leaf.path;
}

/** The guards that a parameter overrides, as words of its name or of its value. */
function guardsOverriddenBy(leaf: Leaf, ontology: Ontology): readonly string[] {
  const { key, name, path, value } = leaf;
  if (key.length > LONGEST_KEY || String(value).length > LONGEST_VALUE) return [];
  const { on, off, overriding, guards, checks, demanding, containers, skipped } = words(ontology);
  const of_name = singularsOf(name);
  const named = of_name.filter((part) => guards.has(part));
  // What protects people is switched off by its name alone: `interlock: off`.
  if (named.length > 0 && takesOutOfService(leaf, ontology)) return named;
  const word = asciiLower(String(value).trim());
  if (off.has(word)) {
    // `require_parked: false`; `preconditions: { doors_closed: false }`.
    const isDemand = of_name.length > 1 && demanding.has(of_name[0]!);
    const isInside = path.split(/[.[]/).some((part) => containers.has(part)) && value === false;
    return isDemand || isInside ? named : [];
  }
  // `sanctions_screening: skipped`, `id_check: waived`
  if (skipped.has(word)) return of_name.filter((part) => guards.has(part) || checks.has(part));
  if (!of_name.some((part) => overriding.has(part))) return [];
  if (on.has(word)) return named;
  // `override: [light_curtain, presence]`: the value names what is overridden.
  return of_name.length === 1 && typeof value === 'string' && !namesNothing(word)
    ? singularsOf(value).filter((part) => guards.has(part))
    : [];
}
