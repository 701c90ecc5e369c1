/**
 * The ontology: what words of actions, resources, data and law mean, as a checked graph in memory.
 * `buildOntology` takes the parsed YAML documents of `ontology/` and refuses what does not fit together.
 */
import { readAgentTypes, readDomains, readResourceTypes, readToolNames, readTools, readVerbs } from './actions.ts';
import { readClasses, readDetectors, readFieldNames } from './data.ts';
import { Files } from './files.ts';
import { checkLinks, readFrameworks, readTiers } from './frameworks.ts';
import { readPhrasing, readPlaybooks, readProfiles } from './guidance.ts';
import { readLibraries } from './libraries.ts';
import { readLists, readMarkers } from './lists.ts';
import { countNodes } from './nodes.ts';
import { Problems } from './problems.ts';
import { readPrograms } from './programs.ts';
import type { Ontology, OntologyDocument } from './terms.ts';

export { OntologyError } from './problems.ts';
export type * from './terms.ts';

/**
 * The graph that these documents describe; their order does not matter.
 *
 * @param version what `version` shall say: the loader's hash over the files
 * @throws OntologyError with every problem, each with its file and entry
 */
export function buildOntology(documents: readonly OntologyDocument[], version = ''): Ontology {
  const problems = new Problems();
  const files = new Files(documents, problems);
  const classes = readClasses(files);
  const verbs = readVerbs(files);
  const domains = readDomains(files, classes.data_classes);
  const fields = readFieldNames(files, classes.data_classes);
  const consequence_tiers = readTiers(files);
  const law = readFrameworks(files, consequence_tiers);
  checkLinks(law.articles, consequence_tiers, files);
  const terms = {
    ...classes,
    ...verbs,
    domains,
    ...fields,
    ...law,
    consequence_tiers,
    resource_types: readResourceTypes(files),
    agent_types: readAgentTypes(files, domains),
    tools: readTools(files, verbs.verbs, domains),
    ...readToolNames(files, verbs.verbs),
    value_detectors: readDetectors(files, classes.data_classes, fields.field_names),
    ...readLists(files, verbs.group_danger_order),
    ...readMarkers(files),
    programs: readPrograms(files),
    libraries: readLibraries(files),
    remediation_playbooks: readPlaybooks(files, law.articles),
    ...readPhrasing(files, law.frameworks),
    ...readProfiles(files, law.frameworks),
  };
  files.done();
  problems.throwIfAny();
  return { ...terms, version, node_count: countNodes(terms) };
}
