/** Objects that code writes out in a format that calls functions when it is loaded. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import { type Data, isKnown } from '../data.ts';
import { looksLikeShell } from '../parameters/shapes.ts';
import type { World } from '../world.ts';

/** Calls in such a text. */
export const serialisedCalls = perOntology((ontology) => patternOf(ontology, 'serialised_objects', 'calls'));
/** Texts inside: between quotes, brackets, line ends or bytes that are not letters. */
const PIECES = /[^\n'"[\]\x00-\x1f\x7f-\uffff]{6,2000}/g;
const MAX_PIECES = 16;

/** Nobody needs to write such an object into code, so it counts as hidden code; commands that can be read in it run. */
export function runSerialised(world: World, data: Data, excerpt: string): void {
  if (!isKnown(data) || !serialisedCalls(world.ontology).test(data.text)) return;
  world.add('obfuscates', 'one', 'serialised object', excerpt);
  world.unresolved ||= excerpt;
  world.has_unknown = true;
  for (const piece of (data.text.match(PIECES) ?? []).slice(0, MAX_PIECES))
    if (world.step(4) && looksLikeShell(piece, world.ontology)) world.run('shell', piece);
}
