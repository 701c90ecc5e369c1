/** Names of packages that imitate a well-known one: a letter more, less or exchanged, two exchanged, another separator. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, patternsOf, tableOf } from '../../../ontology/words.ts';
import { distance, isTransposed } from '../words/lookalike.ts';

/** Shorter names are near many others. */
const SHORTEST = 5;
const LONGEST = 100;
const MAX_LINES = 2_000;

interface Registry {
  known: ReadonlySet<string>;
  imitable: readonly string[];
  /** A name without its separators → the name. */
  bare: ReadonlyMap<string, string>;
}

const registriesOf = perOntology((ontology) => {
  const near = tableOf(ontology, 'near_packages');
  const registries = new Map<string, Registry>();
  for (const [name, popular] of tableOf(ontology, 'popular_packages')) {
    const imitable = popular.filter(({ length }) => length >= SHORTEST);
    registries.set(name, {
      known: new Set([...popular, ...(near.get(name) ?? [])]),
      imitable,
      bare: new Map(imitable.map((one) => [bareOf(one), one])),
    });
  }
  return {
    registries,
    managers: inverseOf(ontology, 'package_managers'),
    files: patternsOf(ontology, 'declared_files'),
    lines: patternsOf(ontology, 'declared_lines'),
  };
});

const bareOf = (name: string): string => name.replace(/[-_.]/g, '');

/** The registry from which a command installs; '' where its program is none of those that are known. */
export function registryOf(command: string, ontology: Ontology): string {
  const { managers } = registriesOf(ontology);
  for (const word of command.split(/[\s/]+/, MAX_WORDS)) {
    const registry = managers.get(word.replace(/^python\d?$/, ''));
    if (registry !== undefined) return registry;
  }
  return '';
}

const MAX_WORDS = 16;

/** The name as its registry compares names. */
const asRegistered = (name: string, registry: string): string =>
  registry === 'pypi' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name;

/** Whether it is one of the registry's well-known packages. */
export const isPopular = (name: string, registry: string, ontology: Ontology): boolean =>
  registriesOf(ontology).registries.get(registry)?.known.has(asRegistered(name, registry)) ?? false;

/** The well-known package whose name this one imitates; '' when there is none. A name of a scope is its owner's. */
export function imitatedPackage(name: string, registry: string, ontology: Ontology): string {
  const of = registriesOf(ontology).registries.get(registry);
  const given = asRegistered(name, registry);
  if (
    of === undefined ||
    given.length < SHORTEST ||
    given.length > LONGEST ||
    given.includes('/') ||
    of.known.has(given)
  )
    return '';
  const other = of.bare.get(bareOf(given));
  if (other !== undefined && other !== given && !(registry === 'cargo' && other.replaceAll('-', '_') === given))
    return other;
  return of.imitable.find((known) => isTransposed(known, given) || distance(known, given, 1) <= 1) ?? '';
}

/** The packages that the lines of a file declare, with their registry; none where the file declares nothing. */
export function declaredPackages(
  path: string,
  lines: readonly string[],
  ontology: Ontology,
): readonly (readonly [name: string, registry: string])[] {
  const { files, lines: forms } = registriesOf(ontology);
  const registry = [...files].find(([, pattern]) => pattern.test(path))?.[0];
  const form = registry === undefined ? undefined : forms.get(registry);
  if (registry === undefined || form === undefined) return [];
  return lines.slice(0, MAX_LINES).flatMap((line) => {
    const name = form.exec(line)?.[1];
    return name === undefined ? [] : [[name, registry] as const];
  });
}
