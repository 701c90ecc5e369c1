/** Loops of Python that never end, or not soon, and use more with each turn. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import { callSource } from '../code/library-calls.ts';
import type { World } from '../world.ts';

/** In the body of a loop: `ends` finds what waits or leaves the loop, `grows` what consumes memory, files or processes. */
export const pythonLoops = perOntology((ontology) => ({
  ends: patternOf(ontology, 'python_code', 'loop_exits'),
  // linear: each repeat begins behind a sign or word of its own
  grows: new RegExp(
    `${callSource(ontology, 'python_code', 'growing_calls')}|\\*=|\\+=\\s*(?:['"[(]|\\w+\\b(?!\\s*\\d))`,
  ),
}));

/** Notes an endless or very long loop that starts processes, writes or collects, and neither waits nor exits. */
export function noteGrowth(statement: string, body: string, excerpt: string, world: World): void {
  const { ends, grows } = pythonLoops(world.ontology);
  if (ends.test(body)) return;
  if (grows.test(body)) world.add('exhausts_resources', 'everything', 'endless loop', excerpt);
  else if (statement === 'WhileStatement') world.add('exhausts_resources', 'one', 'endless loop', excerpt);
}
