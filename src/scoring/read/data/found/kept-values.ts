/** Values that an edit leaves where they stood. */
import { mayHoldFile } from '../../../../effects/edits/edits.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { editsOfEvent } from '../../action/content/edits.ts';
import type { DetectedData } from './detected-data.ts';

/**
 * Whether a value stands in the replaced text of each edit that writes it, and in no other parameter: the file holds it already. An
 * editor refuses a replaced text that the file does not hold, so nothing else can claim that. A whole file that is written has no
 * replaced text.
 */
export function isKeptByEdit(event: AgentEvent, ontology: Ontology): (found: DetectedData) => boolean {
  const edits = editsOfEvent(event, ontology).filter(({ is_patch }) => !is_patch);
  const { leaves } = parametersOf(event);
  if (!edits.some(({ before }) => before !== '') || mayHoldFile(leaves, ontology)) return () => false;
  const texts = new Set(edits.flatMap(({ before, after }) => [before, after]));
  return ({ value }) =>
    value !== '' &&
    edits.every(({ before, after }) => !after.includes(value) || before.includes(value)) &&
    leaves.every((leaf) => typeof leaf.value !== 'string' || !leaf.value.includes(value) || texts.has(leaf.value));
}
