/** What the body of an action changes although it may pass for a look: a statement that writes, a stage, a mutation. */
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { verbLookup } from '../../words/verb-table.ts';
import type { ContentReading } from './content.ts';
import { writingVerbs } from './writing-bodies.ts';

const words = perOntology((ontology) => ({
  looking: setOf(ontology, 'looking_groups'),
  /** Kinds of effects after which something is as it was. */
  unchanging: setOf(ontology, 'unchanging_effects'),
}));

/**
 * What a statement changes or takes out, of several the first in the order of their names, or the verb of a body that writes; '' if
 * there is none.
 */
export function changedByBody(event: AgentEvent, ontology: Ontology, content: ContentReading): string {
  const { looking, unchanging } = words(ontology);
  if (content.languages.includes('sql')) {
    const changed = content.effects
      .filter(({ kind, scope }) => !unchanging.has(kind) && scope !== 'scratch')
      .map(({ kind, object }) => object || kind);
    // Effects come in the order of the parameters, which says nothing.
    if (changed.length > 0) return changed.reduce((first, one) => (one < first ? one : first));
  }
  const verbs = writingVerbs(event, ontology, verbLookup(ontology));
  return (
    verbs
      .filter(({ group }) => !looking.has(group))
      .map(({ verb }) => verb)
      .sort()[0] ?? ''
  );
}
