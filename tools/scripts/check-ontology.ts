/** Checks `ontology/` (all but its rules) and prints how much is in it, or every problem with its file and entry. */
import { resolve } from 'node:path';
import { loadOntology, ONTOLOGY_ROOT } from '../../src/engine/knowledge/load-ontology.ts';

try {
  const ontology = loadOntology(resolve(process.argv[2] ?? ONTOLOGY_ROOT));
  const unconfirmed = [...ontology.articles.values()].filter((article) => !article.verified);
  console.log(`version ${ontology.version}: ${ontology.node_count} terms`);
  console.log(`${ontology.frameworks.size} frameworks with ${ontology.articles.size} articles`);
  console.log(`${ontology.verbs.size} verbs, ${new Set(ontology.domains.values()).size} domains`);
  console.log(`${ontology.tools.size} names of tools, ${ontology.value_detectors.length} value detectors`);
  console.log(`not confirmed by any source: ${unconfirmed.map((article) => article.id).join(', ') || 'none'}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
