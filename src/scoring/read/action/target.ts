/** What is acted on: how sensitive it is known or declared to be, and where it lives. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, snakeCase, splitWords, wordsOf } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { DomainEntry, Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from './action.ts';
import { scopeOf } from './naming/action-domain.ts';

export { readTime, type TimeReading } from './time.ts';
export { batchSizeOf, readVolume, type VolumeReading } from './volume.ts';

export interface TargetReading {
  resource_type: string;
  resource_id: string;
  is_known_resource: boolean;
  /** The ontology knows its type, or the domain or scope that it is in. */
  is_known: boolean;
  /** The higher of what is declared and `known_sensitivity`: a claim raises and never lowers. */
  sensitivity: number;
  /** What the ontology knows of the resource type, domain and scope, or the middle of the scale: no claim moves it. */
  known_sensitivity: number;
  environment: 'production' | 'non_production' | 'unknown';
}

/** Nothing known: confidential, the middle of the scale, where the intrinsic formula is neutral. */
const UNKNOWN_SENSITIVITY = 2;

function resourceSensitivity(resource_type: string, ontology: Ontology): number | undefined {
  if (resource_type === '') return undefined;
  const name = snakeCase(resource_type);
  return ontology.resource_types.get(name) ?? ontology.resource_types.get(singular(name));
}

/**
 * A scope that the ontology lists is knowledge; the domain's default is a guess about its average, so it counts only where the
 * scope is not known. Of several domains that the names tell the gravest counts. Where only the server tells one, its default may
 * raise the middle and never lower it. The type of the resource is declared with the event: it raises what is known without it.
 */
function knownSensitivity(of_resource: number | undefined, ontology: Ontology, action: ActionReading): number {
  const { own, of_server } = action.domains;
  const of_place = (domain: DomainEntry): number =>
    scopeOf(action.scope, domain)?.sensitivity ?? domain.default_sensitivity;
  let without = -1;
  for (const domain of own) without = Math.max(without, of_place(domain));
  // A scope that the only domain lists is knowledge, no matter who tells the domain.
  const isScope = own.length === 0 && of_server.some((domain) => scopeOf(action.scope, domain) !== undefined);
  const middle = without < 0 && !isScope ? UNKNOWN_SENSITIVITY : without;
  const known = own.length + of_server.length === 0 ? ontology.domains.get(action.known_domain) : undefined;
  for (const beside of known === undefined ? of_server : [known]) without = Math.max(without, middle, of_place(beside));
  return of_resource === undefined ? without : Math.max(of_resource, without < 0 ? UNKNOWN_SENSITIVITY : without);
}

interface EnvironmentWords {
  production: ReadonlySet<string>;
  non_production: ReadonlySet<string>;
  /** These also name branches and tables; in an id they count only when they are all of it. */
  weak: ReadonlySet<string>;
  /** In paths, hosts and mail addresses these are folders and files as well (`/src/test/demo.py`). */
  weak_in_paths: ReadonlySet<string>;
  /** Types of things that people have for themselves. */
  personal: ReadonlySet<string>;
  isParameter: (key: string) => boolean;
}

const environmentWords = perOntology((ontology): EnvironmentWords => {
  const weak = listOf(ontology, 'weak_environment_words');
  const parameters = setOf(ontology, 'environment_parameters');
  return {
    production: setOf(ontology, 'production_words'),
    non_production: setOf(ontology, 'non_production_words'),
    weak: new Set(weak),
    personal: setOf(ontology, 'personal_things'),
    weak_in_paths: new Set([...weak, ...listOf(ontology, 'weak_environment_folders')]),
    isParameter: remembering((key) => parameters.has(wordsOf(key).at(-1) ?? '')),
  };
});

function environmentOf(event: AgentEvent, ontology: Ontology, action: ActionReading): TargetReading['environment'] {
  const words = environmentWords(ontology);
  let found = graver(environmentIn(wordsOf(action.domain), words), environmentIn(wordsOf(action.scope), words));
  const id = event.target?.resource_id ?? '';
  // Only a name can name an environment; a sentence or a command cannot.
  if (id !== '' && !/\s/.test(id)) {
    const of_id = splitWords(id);
    // The primary calendar of a person is not a production system.
    const isPersonal = wordsOf(event.target?.resource_type ?? '').some((word) => words.personal.has(word));
    const weak = of_id.length === 1 && !isPersonal ? NO_WORDS : /[/\\.@]/.test(id) ? words.weak_in_paths : words.weak;
    found = graver(found, environmentIn(of_id, words, weak));
  }
  for (const { key, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 128 || !words.isParameter(key) || /\s/.test(value)) continue;
    found = graver(found, environmentIn(splitWords(value), words));
  }
  return found;
}

type Environment = TargetReading['environment'];

const NO_WORDS: ReadonlySet<string> = new Set();

function environmentIn(names: readonly string[], words: EnvironmentWords, weak = NO_WORDS): Environment {
  let found: Environment = 'unknown';
  for (const name of names) {
    if (weak.has(name)) continue;
    if (words.production.has(name)) return 'production';
    if (words.non_production.has(name)) found = 'non_production';
  }
  return found;
}

/** Production wins where both are named, so that a name cannot lower its own risk. */
function graver(a: Environment, b: Environment): Environment {
  if (a === 'production' || b === 'production') return 'production';
  return a === 'unknown' ? b : a;
}

export function readTarget(event: AgentEvent, ontology: Ontology, action: ActionReading): TargetReading {
  const resource_type = event.target?.resource_type ?? '';
  const declared = event.target?.sensitivity_level;
  const of_resource = resourceSensitivity(resource_type, ontology);
  const known = knownSensitivity(of_resource, ontology, action);
  const known_sensitivity = known < 0 ? UNKNOWN_SENSITIVITY : known;
  return {
    resource_type,
    resource_id: event.target?.resource_id ?? '',
    is_known_resource: of_resource !== undefined,
    is_known: known >= 0,
    sensitivity: Math.min(4, Math.max(declared ?? 0, known_sensitivity)),
    known_sensitivity,
    environment: environmentOf(event, ontology, action),
  };
}
