/**
 * What operations on a document database do, in whatever form they are given: a pipeline that writes over a collection, an update of
 * every document, code in a condition that never ends, and conditions that hold for everybody.
 */

import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { shorten } from '../effects.ts';
import type { World } from '../world.ts';

const MAX_TEXT = 16_000;

export const documentOperations = perOntology((ontology) => {
  return {
    replaces: patternOf(ontology, 'document_operations', 'replaces'),
    merges: patternOf(ontology, 'document_operations', 'merges'),
    into: patternOf(ontology, 'document_operations', 'into'),
    unbounded: patternOf(ontology, 'document_operations', 'unbounded'),
    grants: patternOf(ontology, 'document_operations', 'grants'),
    runs: patternOf(ontology, 'document_operations', 'runs'),
    stalls: patternOf(ontology, 'document_operations', 'stalls'),
    always: [...(ontology.patterns.get('conditions_for_all')?.values() ?? [])],
    passing: new RegExp(`(?<![a-z])${alternatives(listOf(ontology, 'passing_things'))}(?![a-z])`, 'i'),
  };
});

/** Notes the operations in the text of code or of parameters as JSON. */
export function noteDocumentOperations(world: World, given: string): void {
  if (!given.includes('$') && !given.includes('pdate')) return;
  const text = given.slice(0, MAX_TEXT).replaceAll('\\"', '"');
  const { replaces, merges, into, unbounded, grants, runs, stalls, always, passing } = documentOperations(
    world.ontology,
  );
  const written = replaces.exec(text) ?? (merges.test(text) ? into.exec(text) : null);
  const target = written?.groups?.['place'] ?? written?.groups?.['coll'] ?? '';
  if (target !== '' && !passing.test(target)) destroyForGood(world, 'everything', target, shorten(written![0]));
  const all = unbounded.exec(text)?.[0];
  if (all !== undefined) {
    world.has_unbounded_statement = true;
    world.add('writes', 'everything', 'every document', all);
    if (grants.test(text)) world.add('grants', 'everything', 'every account', all);
  }
  const code = runs.test(text) ? stalls.exec(text)?.[0] : undefined;
  if (code !== undefined) world.add('exhausts_resources', 'many', 'database server', code);
  const open = always.map((one) => one.exec(text)).find((one) => one !== null && holds(one))?.[0];
  if (open !== undefined) world.add('bypasses_checks', 'many', 'open condition', open);
}

/** Two operands of which both are written out are equal, or there are none. */
const holds = ({ groups }: RegExpExecArray): boolean => groups?.['left'] === groups?.['right'];
