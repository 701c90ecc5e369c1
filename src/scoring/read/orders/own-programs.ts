/**
 * Programs that nobody lists and that the agent ran before it saw a text, such as the project's own command: that a manual or an
 * output names them is not a reason why they are run.
 */
import { programsOf } from '../../../effects/programs/index.ts';
import { programName } from '../../../effects/shell/call.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../ontology/words.ts';
import { readCalls } from '../conversation/calls.ts';

/** Longer commands are not split here. */
const MAX_COMMAND = 4_096;
const PARTS = /&&|\|\||[;|\n]|\$\(|`/;
const ASSIGNMENT = /^\w{1,64}=\S*$/;

const words = perOntology((ontology) => ({
  keys: new Set(tableOf(ontology, 'parameter_roles').get('shell')),
  changes_folder: new Set([...setOf(ontology, 'folder_entering'), ...setOf(ontology, 'folder_leaving')]),
}));

/** The first words of the parts of a command, without assignments; empty where one of them cannot be read. */
function namesIn(command: string, ontology: Ontology): string[] {
  if (command.length > MAX_COMMAND) return [];
  const names: string[] = [];
  for (const part of command.split(PARTS)) {
    const first = part
      .trim()
      .split(/\s+/)
      .find((word) => !ASSIGNMENT.test(word));
    if (first === undefined || first === '' || words(ontology).changes_folder.has(first)) continue;
    if (!/^[\w.-]+$/.test(first)) return [];
    names.push(programName(first));
  }
  return names;
}

/**
 * Index of the message by which the agent had run every unlisted program of this command, beside programs that only print;
 * infinite if it had not, or if another program is in it.
 */
export function ranFrom(event: AgentEvent, ontology: Ontology): number {
  const { keys } = words(ontology);
  const given = parametersOf(event).leaves.filter(({ name, value }) => keys.has(name) && typeof value === 'string');
  const known = programsOf(ontology);
  const own = new Set(given.flatMap(({ value }) => namesIn(String(value), ontology)));
  for (const name of own) if (known.get(name)?.isQuiet === true) own.delete(name);
  if (own.size === 0 || [...own].some((name) => known.has(name))) return Number.POSITIVE_INFINITY;
  for (const { args, index } of readCalls(event, ontology)) {
    for (const [key, value] of args) if (keys.has(key)) for (const name of namesIn(value, ontology)) own.delete(name);
    if (own.size === 0) return index;
  }
  return Number.POSITIVE_INFINITY;
}
