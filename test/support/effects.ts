/** What code does, as `kind scope` of each effect, for the tests of readers. */

import { readStored } from '../../src/effects/deeds/read-stored.ts';
import { interpret } from '../../src/effects/languages.ts';
import { type Language, World } from '../../src/effects/world.ts';
import { loadOntology } from '../../src/engine/knowledge/load-ontology.ts';

const ontology = loadOntology();

export function effectsOf(code: string, language: Language): string[] {
  return worldOf(code, language).effects.items.map(({ kind, scope }) => `${kind} ${scope}`);
}

/** What was learned of the code, with its effects and whether all of it was read. */
export function worldOf(code: string, language: Language): World {
  const world = new World(ontology, interpret);
  world.run(language, code);
  readStored(world);
  return world;
}
