/** Commands and requests that reach this service itself: its decisions, its policies, its keys, its process. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf } from '../../../ontology/words.ts';
import type { ContentReading } from './content.ts';

const commandsOf = perOntology((ontology) => anyOf(ontology, 'oversight_commands'));
/** Characters of one parameter that are searched. */
const MAX_TEXT = 16_384;

/** Whether what is run or requested decides for this service, changes it or stops it. Text that is only stored does not. */
export function reachesOversight(event: AgentEvent, content: ContentReading, ontology: Ontology): boolean {
  if (content.programs.length === 0 && content.hosts.length === 0) return false;
  const pattern = commandsOf(ontology);
  return parametersOf(event).leaves.some(
    ({ value }) => typeof value === 'string' && pattern.test(value.slice(0, MAX_TEXT)),
  );
}
