/** A lock, an interlock, a check or an exception that a parameter overrides, of which the user's words say nothing. */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf, walkOf } from '../../../../events/parameters.ts';
import { perEvent } from '../../../../events/working-copy.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { asciiLower, namesNothing, singular, singularsOf, snakeCase } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { letterWordsIn } from '../../words/fold.ts';
import { takesOutOfService } from './disabled-safety.ts';
import { protectionsStopped } from './stopped-guard.ts';

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
  bounds: setOf(ontology, 'overridable_bounds'),
  passing: setOf(ontology, 'bound_passing_words'),
  disabling: setOf(ontology, 'disabling_words'),
  protections: new Set([...listOf(ontology, 'guarding_words'), ...listOf(ontology, 'safety_bound_words')]),
  unguarded: setOf(ontology, 'unguarded_words'),
  admitting: setOf(ontology, 'admitting_words'),
  own: setOf(ontology, 'self_words'),
  deciding: setOf(ontology, 'deciding_words'),
  omitting: setOf(ontology, 'omitting_words'),
  everyday: setOf(ontology, 'everyday_guards'),
}));

const MAX_LEAVES = 200;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 80;
const LONGEST_REQUEST = 8_192;

/** The parameter that overrides a guard, '' if none does or the user speaks of overriding, or of the guard itself. */
export function overriddenGuard(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const leaves = leavesOf(event);
  const stopped = stoppedIn(event, ontology);
  const found = leaves
    .map((leaf, i) => ({ leaf, guards: [...guardsOverriddenBy(leaf, ontology), ...stopped[i]!] }))
    .find(({ guards }) => guards.length > 0);
  return found === undefined || isSpokenOf(found.guards, ontology, text) ? '' : found.leaf.path;
}

/** The parameter whose value puts a protection out of action, '' if none does or the user speaks of it. */
export function stoppedProtection(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const leaves = leavesOf(event);
  const guards = stoppedIn(event, ontology);
  const at = guards.findIndex((words) => words.length > 0);
  return at < 0 || isSpokenOf(guards[at]!, ontology, text) ? '' : leaves[at]!.path;
}

/** The parameters, and those that a text of JSON, XML or options holds. */
const leavesOf = perEvent((event): readonly Leaf[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap((leaf) => [leaf, ...leavesInside(leaf)])
    .slice(0, MAX_LEAVES),
);

const LONGEST_TEXT = 4_096;
const MAX_INSIDE = 40;
const ELEMENT = /<([A-Za-z][\w:.-]{1,63})>\s{0,4}([^<>\s]{1,12})\s{0,4}<\//g;
const OPTION = /^--?([A-Za-z][\w-]{2,63})(?:=(\S{1,24}))?$/;

function leavesInside(leaf: Leaf): readonly Leaf[] {
  const { value } = leaf;
  if (typeof value !== 'string' || value.length > LONGEST_TEXT || value.length < SHORTEST_TEXT) return [];
  const inside = (key: string, said: string | number | boolean): Leaf => ({
    path: leaf.path === '' ? key : `${leaf.path}.${key}`,
    key,
    name: snakeCase(key),
    value: said,
    is_element: false,
  });
  const option = OPTION.exec(value);
  if (option !== null) return [inside(option[1]!, option[2] ?? true)];
  const start = value.trimStart()[0];
  if (start === '{' || start === '[') {
    const json = parseLax(value);
    return json === undefined
      ? []
      : walkOf(json)
          .leaves.slice(0, MAX_INSIDE)
          .map((found) => ({ ...found, path: `${leaf.path}.${found.path}` }));
  }
  if (start !== '<') return [];
  return [...value.matchAll(ELEMENT)].slice(0, MAX_INSIDE).map(([, key = '', said = '']) => inside(key, said));
}

const SHORTEST_TEXT = 4;
const LONGEST_OMISSION = 3;

/** Of each parameter the words of the protections that its value puts out of action. */
const stoppedIn = perEvent((event, ontology: Ontology): readonly (readonly string[])[] => {
  const leaves = leavesOf(event);
  const byParent = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const others = byParent.get(parentOf(leaf));
    if (others === undefined) byParent.set(parentOf(leaf), [leaf]);
    else others.push(leaf);
  }
  return leaves.map((leaf) => protectionsStopped(leaf, byParent.get(parentOf(leaf))!, ontology));
});

function isSpokenOf(guards: readonly string[], ontology: Ontology, text: TextReading): boolean {
  const { spoken } = words(ontology);
  return letterWordsIn(foldedUserWords(text).slice(0, LONGEST_REQUEST)).some(
    (word) => spoken.has(word) || guards.includes(singular(word)),
  );
}

const parentOf = ({ path }: Leaf): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/** The guards in the name of what a parameter stands in. */
function parentGuards(path: string, ontology: Ontology): readonly string[] {
  const { guards, protections } = words(ontology);
  const parent = path.split('.').at(-2) ?? '';
  return singularsOf(parent.replace(/\[\d{1,9}\]/g, '')).filter((part) => guards.has(part) || protections.has(part));
}

/**
 * The guards that a parameter passes by its name, switched on: a bound (`override_hard_limit`), a protection that is disabled
 * (`disable_overspeed_trip`), a check that is left out (`no_sanctions_screening`), what was not made safe (`force_unsafe`), and a
 * decision that one takes about oneself (`allow_self_approval`).
 */
function passedByName(of_name: readonly string[], ontology: Ontology): readonly string[] {
  const { bounds, passing, disabling, protections, unguarded, admitting } = words(ontology);
  const { own, deciding, omitting, everyday, guards, checks } = words(ontology);
  const has = (list: ReadonlySet<string>): boolean => of_name.some((part) => list.has(part));
  const of = (list: ReadonlySet<string>): readonly string[] => of_name.filter((part) => list.has(part));
  const passed = has(passing) ? [...of(bounds), ...of(checks), ...of(protections)] : [];
  if (passed.length > 0) return passed;
  if (has(disabling) && has(protections)) return of(protections);
  // `no_fly_zone_check` checks the zone in which nobody flies.
  if (omitting.has(of_name[0]!) && of_name.length > 1 && of_name.length <= LONGEST_OMISSION)
    return of_name.filter((part) => checks.has(part) || (guards.has(part) && !everyday.has(part)));
  if (has(admitting) && has(unguarded)) return of(unguarded);
  return has(own) && has(deciding) ? of(own) : [];
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
  if (on.has(word)) {
    const passed = passedByName(of_name, ontology);
    if (passed.length > 0) return passed;
    // `{ light_curtain: { bypass: true } }`: what it stands in names what is overridden.
    if (of_name.every((part) => overriding.has(part))) return parentGuards(path, ontology);
  }
  if (!of_name.some((part) => overriding.has(part))) return [];
  if (on.has(word)) return named;
  // `override: [light_curtain, presence]`: the value names what is overridden.
  return of_name.length === 1 && typeof value === 'string' && !namesNothing(word)
    ? singularsOf(value).filter((part) => guards.has(part))
    : [];
}
