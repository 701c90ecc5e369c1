/**
 * A protection that the values of a call put out of action, in the words of many languages: `protections: { ovp: off }`,
 * `alarm: apnoea, mode: off`, `safety_mode: override_protective_stop`, «IPS apagado», «bez kontroli».
 */
import type { Leaf } from '../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf } from '../../../../lang/names.ts';
import { remembering } from '../../../../lang/remember.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  nouns: setOf(ontology, 'guarding_words'),
  wholes: setOf(ontology, 'protection_names'),
  watched: setOf(ontology, 'bypassable_things'),
  stopped: setOf(ontology, 'stopped_words'),
  passed: setOf(ontology, 'passed_over_words'),
  paused: setOf(ontology, 'paused_words'),
  kinds: setOf(ontology, 'state_of_named'),
  checks: setOf(ontology, 'neglected_checks'),
  neglected: setOf(ontology, 'neglecting_words'),
  kept: setOf(ontology, 'kept_guard_words'),
  cjk_nouns: patternOf(ontology, 'unspaced_protections', 'nouns'),
  cjk_states: patternOf(ontology, 'unspaced_protections', 'states'),
}));

const LONGEST_NAME = 96;
const LONGEST_VALUE = 160;
/** A clause of more words tells a story. */
const MAX_CLAUSE_WORDS = 4;
const MAX_CLAUSES = 8;

/** Small letters without marks: «désactivé» → `desactive`. */
const folded = (text: string): string =>
  /^[\x00-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : asciiLower(text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());

const wordsIn = (text: string): readonly string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Words of the protections that the leaf puts out of action; empty if it puts none. `siblings`: leaves of the same object. */
export function protectionsStopped(leaf: Leaf, siblings: readonly Leaf[], ontology: Ontology): readonly string[] {
  const { path, value } = leaf;
  if (typeof value !== 'string' || path.length > LONGEST_NAME || value.length > LONGEST_VALUE) return [];
  return ofName(leaf, value, ontology) ?? ofKind(leaf, siblings, ontology) ?? ofClauses(value, ontology);
}

/** The name, or that of what it stands in, is a protection and the value stops it. */
function ofName({ path }: Leaf, said: string, ontology: Ontology): readonly string[] | undefined {
  const { stopped, passed, paused, neglected, cjk_states } = words(ontology);
  const protection = protectionOf(ontology)(path);
  // Most names are none, and what their values say does not matter.
  if (protection === null) return undefined;
  const clause = wordsIn(said);
  if (clause.length > MAX_CLAUSE_WORDS) return undefined;
  if (protection.is_unspaced && cjk_states.test(said)) return [path];
  const { named, bypassed, unchecked } = protection;
  const has = (list: ReadonlySet<string>): boolean => clause.some((word) => list.has(word));
  if (named.length > 0 && (has(stopped) || has(passed))) return named;
  if (bypassed.length > 0 && (has(passed) || has(paused))) return bypassed;
  const phrase = clause.join(' ');
  return unchecked.length > 0 && (neglected.has(phrase) || has(passed)) ? unchecked : undefined;
}

/** Words of a name that are protections, things that can be bypassed, and checks. */
interface Protection {
  is_unspaced: boolean;
  named: readonly string[];
  bypassed: readonly string[];
  unchecked: readonly string[];
}

/** What the path of a parameter names; null if nothing that protects. */
const protectionOf = perOntology((ontology): ((path: string) => Protection | null) => {
  const { nouns, wholes, watched, kept, checks, cjk_nouns } = words(ontology);
  return remembering((path) => {
    const is_unspaced = cjk_nouns.test(path);
    const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
    const of_path = parts.flatMap((part) => singularsOf(folded(part)));
    const own = singularsOf(folded(parts.at(-1) ?? ''));
    if (of_path.some((word) => kept.has(word)))
      return is_unspaced ? { is_unspaced, named: [], bypassed: [], unchecked: [] } : null;
    const named = of_path.filter((word) => nouns.has(word));
    if (wholes.has(own.join('_')) && !named.includes(own[0]!)) named.push(...own);
    const bypassed = of_path.filter((word) => watched.has(word));
    const unchecked = own.filter((word) => checks.has(word));
    const is_any = is_unspaced || named.length + bypassed.length + unchecked.length > 0;
    return is_any ? { is_unspaced, named, bypassed, unchecked } : null;
  });
});

/** `alarm: apnoea` beside `mode: off`: one parameter names the protection, another one its state. */
function ofKind(leaf: Leaf, siblings: readonly Leaf[], ontology: Ontology): readonly string[] | undefined {
  const { kinds, nouns, stopped, passed } = words(ontology);
  if (!kinds.has(leaf.name)) return undefined;
  const state = wordsIn(String(leaf.value));
  if (state.length > 2 || !state.some((word) => stopped.has(word) || passed.has(word))) return undefined;
  const named = siblings
    .filter((other) => other !== leaf && typeof other.value === 'string' && other.value.length <= LONGEST_VALUE)
    .flatMap(({ name }) => singularsOf(folded(name)).filter((word) => nouns.has(word)));
  return named.length > 0 ? named : undefined;
}

/** A clause of a few words that names both: «IPS apagado», «override_protective_stop», «sin registro». */
function ofClauses(said: string, ontology: Ontology): readonly string[] {
  const { nouns, watched, stopped, passed, checks, kept } = words(ontology);
  for (const part of said.split(/[;,.:=()\n]+/).slice(0, MAX_CLAUSES)) {
    const clause = wordsIn(part).map(singular);
    if (clause.length < 2 || clause.length > MAX_CLAUSE_WORDS || clause.some((word) => kept.has(word))) continue;
    const named = clause.filter((word) => nouns.has(word));
    if (named.length > 0 && clause.some((word) => stopped.has(word) || passed.has(word))) return named;
    const neglected = clause.filter((word) => checks.has(word) || watched.has(word));
    if (neglected.length > 0 && clause.some((word) => passed.has(word))) return neglected;
  }
  return [];
}
