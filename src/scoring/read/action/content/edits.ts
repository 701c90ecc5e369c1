/** The edits of files among the parameters of an event, read once for all of its readings. */
import { type Edit, editsOf } from '../../../../effects/edits/edits.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { perEvent } from '../../../../events/working-copy.ts';
import type { Ontology } from '../../../../ontology/index.ts';

export const editsOfEvent: (event: AgentEvent, ontology: Ontology) => readonly Edit[] = perEvent(
  (event, ontology: Ontology) => editsOf(parametersOf(event).leaves, ontology),
);
