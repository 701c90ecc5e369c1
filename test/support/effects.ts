/** What code does, as `kind scope` of each effect, for the tests of readers. */

import { readStored } from '../../src/effects/deeds.ts';
import { interpret } from '../../src/effects/languages.ts';
import { type Language, World } from '../../src/effects/world.ts';
import { loadOntology } from '../../src/engine/knowledge/load-ontology.ts';

const ontology = loadOntology();

export function effectsOf(code: string, language: Language): string[] {
  const world = new World(ontology, interpret);
  world.run(language, code);
  readStored(world);
  return world.effects.items.map(({ kind, scope }) => `${kind} ${scope}`);
}
