/** Loads what ships with the product: `ontology/` with its rules, checked and compiled. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Condition, compileCondition } from '../lang/conditions.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { type Ontology, OntologyError } from '../scoring/ontology.ts';
import { type RuleDocument, ruleProblems } from '../scoring/rule-document.ts';
import { compileRules, FACT_VOCABULARY } from '../scoring/rules.ts';
import { loadOntology, ONTOLOGY_ROOT, readYamlDocuments, versionOf } from './load-ontology.ts';

const isRule = (path: string): boolean => path.startsWith('rules/');
const VERSION_LENGTH = 12;

/** When each framework binds, from the ontology's profile; one that needs a customer profile is left out. */
function compileBindings(ontology: Ontology): Map<string, Condition | 'always'> {
  const bindings = new Map<string, Condition | 'always'>();
  for (const [framework, binding] of ontology.profiles.get('default') ?? []) {
    if (binding.binds === 'always') bindings.set(framework, 'always');
    if (binding.binds === 'when') bindings.set(framework, compileCondition(binding.condition, FACT_VOCABULARY));
  }
  return bindings;
}

/**
 * Everything under `ontology/` of this checkout, or of another folder.
 *
 * @throws Error listing every problem: unknown articles, conditions that do not compile with their position, …
 */
export async function loadKnowledge(root: string = ONTOLOGY_ROOT): Promise<Knowledge> {
  const ontology = loadOntology(root);
  const files = readYamlDocuments(resolve(root), isRule);
  const problems = files.flatMap(({ path, content }) => ruleProblems(path, content, ontology));
  if (problems.length > 0) throw new OntologyError(problems);
  const index = compileRules(files.map((file) => file.content as RuleDocument));
  const version = createHash('sha256')
    .update(ontology.version)
    .update(versionOf(files))
    .digest('hex')
    .slice(0, VERSION_LENGTH);
  return {
    version,
    ontology,
    rules: index.rules,
    index,
    rule_by_id: new Map(index.rules.map((rule) => [rule.id, rule])),
    bindings: compileBindings(ontology),
  };
}
