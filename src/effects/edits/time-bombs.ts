/** Code that waits for a day, or for somebody to be gone, and then destroys. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';

/** Added lines below the condition that belong to it. */
const REACH = 5;

const signsOf = perOntology((ontology) => {
  const sign = (name: string): RegExp => patternOf(ontology, 'time_bombs', name);
  return { day: sign('day'), gone: sign('gone'), ruins: sign('ruins'), destroys: sign('destroys') };
});

/** The condition of a time bomb among the lines that an edit brings; undefined where there is none. */
export function timeBomb({ added }: Changed, ontology: Ontology): string | undefined {
  const { day, gone, ruins, destroys } = signsOf(ontology);
  return added.find((line, i) => {
    const isOfDay = day.test(line);
    if (!isOfDay && !gone.test(line)) return false;
    const body = added.slice(i, i + 1 + REACH).join('\n');
    // What is cleaned up on a day is everyday work; what is ruined is not.
    return ruins.test(body) || (!isOfDay && destroys.test(body));
  });
}
