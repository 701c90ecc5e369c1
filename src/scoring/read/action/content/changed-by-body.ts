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

/**
 * What a statement changes or takes out, of several the first in the order of their names, or the verb of a body that writes; '' if
 * there is none.
 */
export function changedByBody(event: AgentEvent, ontology: Ontology, content: ContentReading): string {
  if (content.languages.includes('sql')) {
    const changed = content.effects
      .filter(({ kind, scope }) => !LOOKS.has(kind) && scope !== 'scratch')
      .map(({ kind, object }) => object || kind);
    // Effects come in the order of the parameters, which says nothing.
    if (changed.length > 0) return changed.reduce((first, one) => (one < first ? one : first));
  }
  const verbs = writingVerbs(event, ontology, verbLookup(ontology));
  return (
    verbs
      .filter(({ group }) => !looking(ontology).has(group))
      .map(({ verb }) => verb)
      .sort()[0] ?? ''
  );
}
