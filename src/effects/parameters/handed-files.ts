/**
 * Files that a tool is handed as text under a parameter of any name, and that it puts where they run: a unit of a service manager, a
 * pipeline as YAML, a pipeline as Groovy. The text tells by its form what it is; its commands are read.
 */
import type { Leaf } from '../../events/parameters.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import { commandsOf } from '../stored-code.ts';

export const handedForms = perOntology((ontology) => ({
  unit_start: patternOf(ontology, 'handed_files', 'unit_start'),
  groovy_start: patternOf(ontology, 'handed_files', 'groovy_start'),
  workflow_start: patternOf(ontology, 'handed_files', 'workflow_start'),
  unit: patternOf(ontology, 'handed_files', 'unit'),
  started: patternOf(ontology, 'handed_files', 'started'),
  workflow: patternOf(ontology, 'handed_files', 'workflow'),
  groovy: patternOf(ontology, 'handed_files', 'groovy'),
  steps: new RegExp(patternOf(ontology, 'handed_files', 'steps').source, 'g'),
  bound: new RegExp(patternOf(ontology, 'handed_files', 'bound').source, 'g'),
  bound_files: new RegExp(patternOf(ontology, 'handed_files', 'bound_files').source, 'g'),
  secret: patternOf(ontology, 'handed_files', 'secret').source,
  secret_file: patternOf(ontology, 'handed_files', 'secret_file').source,
  unit_path: patternOf(ontology, 'handed_files', 'unit_path').source,
  workflow_path: patternOf(ontology, 'handed_files', 'workflow_path').source,
}));

/** Shortest text, in characters, that is taken for a file, and the longest that is read. */
const SHORTEST = 24;
const LONGEST = 65_536;
const MAX_STEPS = 64;
const MAX_VARIABLES = 16;

/** The shell code in such files among the parameters, one text a file. */
export function commandsHanded(ontology: Ontology, leaves: readonly Leaf[]): string[] {
  const found: string[] = [];
  for (const { value } of leaves) {
    if (typeof value !== 'string' || value.length < SHORTEST || value.length > LONGEST) continue;
    const commands = commandsIn(value, ontology);
    if (commands.trim() !== '') found.push(commands);
  }
  return found;
}

/** The commands in a pipeline written in Groovy; '' when the text is none. */
export function pipelineCommands(text: string, ontology: Ontology): string {
  const { groovy_start, groovy } = handedForms(ontology);
  return text.length <= LONGEST && groovy_start.test(text) && groovy.test(text) ? stepsOf(text, ontology) : '';
}

function commandsIn(text: string, ontology: Ontology): string {
  const { unit_start, groovy_start, workflow_start, unit, started, workflow, groovy, unit_path, workflow_path } =
    handedForms(ontology);
  if (unit_start.test(text) && unit.test(text) && started.test(text)) return commandsOf(unit_path, text, ontology);
  if (groovy_start.test(text) && groovy.test(text)) return stepsOf(text, ontology);
  return workflow_start.test(text) && workflow.test(text) ? commandsOf(workflow_path, text, ontology) : '';
}

/** The commands of `sh '…'` and its siblings, behind the variables that hold the secrets which the pipeline binds. */
function stepsOf(text: string, ontology: Ontology): string {
  const { steps, bound, bound_files, secret, secret_file } = handedForms(ontology);
  const given = (sign: RegExp, most: number): string[] =>
    [...text.matchAll(sign)].slice(0, most).map((groups) => groups.slice(1).find((group) => group !== undefined) ?? '');
  const commands = given(steps, MAX_STEPS);
  if (commands.length === 0) return '';
  const secrets = given(bound, MAX_VARIABLES).map((name) => `${name}=${secret}`);
  const files = given(bound_files, MAX_VARIABLES).map((name) => `${name}=${secret_file}`);
  return [...secrets, ...files, ...commands].join('\n');
}
