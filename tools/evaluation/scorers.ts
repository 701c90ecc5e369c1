/**
 * What is measured, as a list: the score, each of its layers alone, and trivial baselines that a scorer must beat to be
 * worth its trouble. To measure something else, add a row.
 */

import type { AgentEvent } from '../../src/events/event.ts';
import type { Ontology } from '../../src/ontology/index.ts';
import type { Assessment } from '../../src/scoring/types.ts';

export interface Scorer {
  name: string;
  title: string;
  /** Values are points on the scale 0-100, so that the high threshold has a meaning. */
  is_points: boolean;
  /** `null` where the layer is absent; a scorer with an absent value is left out of the report. */
  of: (event: AgentEvent, assessment: Assessment, ontology: Ontology) => number | null;
}

/** A verb that the table does not know says nothing; the middle of a read and a write is as good a guess as any. */
const UNKNOWN_VERB = 20;

function verbRisk(event: AgentEvent, ontology: Ontology): number {
  const verb = event.action.slice(event.action.lastIndexOf(':') + 1);
  return ontology.verbs.get(verb)?.base_risk ?? UNKNOWN_VERB;
}

export const SCORERS: readonly Scorer[] = [
  { name: 'score', title: 'score', is_points: true, of: (_, a) => a.score },
  { name: 'intrinsic', title: 'intrinsic layer', is_points: true, of: (_, a) => a.decomposition.intrinsic_score },
  { name: 'structural', title: 'structural layer', is_points: true, of: (_, a) => a.decomposition.gnn_score },
  { name: 'policy', title: 'policy layer', is_points: true, of: (_, a) => a.decomposition.policy_score },
  { name: 'verb_table', title: 'verb table', is_points: true, of: (e, _, ontology) => verbRisk(e, ontology) },
  {
    name: 'number_of_calls',
    title: 'number of calls',
    is_points: false,
    of: (e) => (e.preceding_actions?.length ?? 0) + 1,
  },
];
