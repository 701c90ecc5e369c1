/** A lock, an interlock, a check or an exception that a parameter overrides, of which the user's words say nothing. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { asciiLower, namesNothing, singular, singularsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldedUserWords } from '../conversation/user-words.ts';
import { letterWordsIn } from '../words/fold.ts';
import { takesOutOfService } from './controls/disabled-safety.ts';
import { protectionsStopped } from './controls/stopped-guard.ts';

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
  const leaves = leavesOf(event);
  const stopped = stoppedIn(leaves, ontology);
  const found = leaves
    .map((leaf, i) => ({ leaf, guards: [...guardsOverriddenBy(leaf, ontology), ...stopped[i]!] }))
    .find(({ guards }) => guards.length > 0);
  return found === undefined || isSpokenOf(found.guards, ontology, text) ? '' : found.leaf.path;
}

/** The parameter whose value puts a protection out of action, '' if none does or the user speaks of it. */
export function stoppedProtection(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const leaves = leavesOf(event);
  const guards = stoppedIn(leaves, ontology);
  const at = guards.findIndex((words) => words.length > 0);
  return at < 0 || isSpokenOf(guards[at]!, ontology, text) ? '' : leaves[at]!.path;
}

const leavesOf = (event: AgentEvent): readonly Leaf[] => parametersOf(event).leaves.slice(0, MAX_LEAVES);

/** Of each parameter the words of the protections that its value puts out of action. */
function stoppedIn(leaves: readonly Leaf[], ontology: Ontology): readonly (readonly string[])[] {
  const byParent = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const others = byParent.get(parentOf(leaf));
    if (others === undefined) byParent.set(parentOf(leaf), [leaf]);
    else others.push(leaf);
  }
  return leaves.map((leaf) => protectionsStopped(leaf, byParent.get(parentOf(leaf))!, ontology));
}

function isSpokenOf(guards: readonly string[], ontology: Ontology, text: TextReading): boolean {
  const { spoken } = words(ontology);
  return letterWordsIn(foldedUserWords(text).slice(0, LONGEST_REQUEST)).some(
    (word) => spoken.has(word) || guards.includes(singular(word)),
  );
}

const parentOf = ({ path }: Leaf): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

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
