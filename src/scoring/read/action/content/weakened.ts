/** What the edits of an event weaken. */
import { type Weakening, weakenedChecks } from '../../../../effects/edits/weakened-checks.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';

/** Each line that an edit in the parameters adds and that weakens a check, opens a second way in, or hands out secrets. */
export function weakenings(event: AgentEvent, ontology: Ontology): Weakening[] {
  return weakenedChecks(parametersOf(event).leaves, ontology);
}
