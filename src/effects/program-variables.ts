/** Variables of the environment by which programs run something: a pager, options of an interpreter, a file that a shell reads first. */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../ontology/words.ts';

export const namedVariables = perOntology((ontology) => ({
  command: setOf(ontology, 'command_variables'),
  prompt: setOf(ontology, 'prompt_variables'),
  start: setOf(ontology, 'start_variables'),
  options: inverseOf(ontology, 'option_variables'),
}));

/** Whether programs run or load something by a variable of this name. */
export function isRunByPrograms(name: string, ontology: Ontology): boolean {
  const { command, prompt, start, options } = namedVariables(ontology);
  return command.has(name) || prompt.has(name) || start.has(name) || options.has(name);
}
