/** What the body of an action changes although it may pass for a look: a statement that writes, a stage, a mutation. */
import type { EffectKind } from '../../../../effects/effects.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { verbLookup } from '../../words/verb-lookup.ts';
import type { ContentReading } from './content.ts';
import { writingVerbs } from './writing-bodies.ts';

/** Kinds of effects after which something is as it was. */
const LOOKS: ReadonlySet<EffectKind> = new Set([
  'reads',
  'reads_credentials',
  'reads_personal_data',
  'reads_system',
  'reconnoitres',
]);

const looking = perOntology((ontology) => setOf(ontology, 'looking_groups'));

/** Object of the first statement that changes something or takes data out, or the verb of a body that writes; '' if there is none. */
export function changedByBody(event: AgentEvent, ontology: Ontology, content: ContentReading): string {
  if (content.languages.includes('sql')) {
    const change = content.effects.find(({ kind, scope }) => !LOOKS.has(kind) && scope !== 'scratch');
    if (change !== undefined) return change.object || change.kind;
  }
  const verbs = writingVerbs(event, ontology, verbLookup(ontology));
  return verbs.find(({ group }) => !looking(ontology).has(group))?.verb ?? '';
}
