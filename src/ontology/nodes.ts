/** The size of the graph. */
import type { Ontology } from './terms.ts';

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);

/**
 * Counts each term once: verb groups, verbs, domains, scopes, resource types, agent types, tools (a name per server),
 * data classes, kinds of fields and their names, value detectors, argument roles, injection markers, frameworks,
 * articles, themes, consequence tiers. Words of lists and aliases are spellings of terms, not terms, and do not count.
 */
export function countNodes(ontology: Omit<Ontology, 'node_count' | 'version'>): number {
  const domains = new Set(ontology.domains.values());
  const themes = new Set([...ontology.articles.values()].flatMap((article) => article.themes));
  return sum([
    ontology.group_danger_order.length,
    ontology.verbs.size,
    domains.size,
    sum([...domains].map((domain) => domain.scopes.size)),
    ontology.resource_types.size,
    ontology.agent_types.size,
    sum([...ontology.tools.values()].map((entries) => entries.length)),
    ontology.data_classes.size,
    ontology.field_names.length,
    sum(ontology.field_names.map((entry) => entry.names.length)),
    ontology.value_detectors.length,
    ontology.argument_roles.size,
    ontology.injection_markers.length,
    ontology.frameworks.size,
    ontology.articles.size,
    themes.size,
    ontology.consequence_tiers.size,
  ]);
}
