/** Notes for later sessions that the user asked for, and that hold nothing of what strangers want. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { TextReading } from '../conversation/text.ts';
import { saysAny } from '../conversation/user-words.ts';
import { copiesFromOutside, keepsOrderedNote } from './spread.ts';

const noteWords = perOntology((ontology) => ({
  asking: setOf(ontology, 'note_requests'),
  groups: setOf(ontology, 'note_groups'),
  loaded: patternOf(ontology, 'notes', 'loaded'),
}));

const MEMORY = 'memory';
/** A longer note is not read to its end, so it may hold anything. */
const MAX_NOTE = 16_384;

/**
 * Whether the action keeps a note of the agent's own for which the user asked: of nothing that stands in text from outside, no
 * address, secret or permission.
 */
export function isAskedNote(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): boolean {
  const { asking, groups, loaded } = noteWords(ontology);
  if (action.known_domain !== MEMORY || !groups.has(action.effective_group) || !saysAny(text, asking)) return false;
  const values = parametersOf(event).leaves.map(({ value }) => String(value));
  const length = values.reduce((sum, value) => sum + value.length, 0);
  if (length > MAX_NOTE || values.some((value) => loaded.test(value))) return false;
  return !copiesFromOutside(event, text) && !keepsOrderedNote(event, ontology, text);
}
