/** Loads what ships with the product: `ontology/` with its rules, checked and compiled. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ConditionError, compileCondition } from '../../lang/conditions/conditions.ts';
import { type Ontology, OntologyError } from '../../ontology/index.ts';
import type { Binding, Knowledge } from '../../scoring/knowledge.ts';
import { compileReducers, type ReducerDocument, reducerProblems } from '../../scoring/rules/reducers.ts';
import { type RuleDocument, ruleProblems } from '../../scoring/rules/rule-document.ts';
import { compileRules, FACT_VOCABULARY } from '../../scoring/rules/rules.ts';
import { loadOntology, ONTOLOGY_ROOT, readYamlDocuments, VERSION_LENGTH, versionOf } from './load-ontology.ts';
import { loadStructural } from './load-structural.ts';

const isRule = (path: string): boolean => path.startsWith('rules/');
const isReducer = (path: string): boolean => path.startsWith('reducers/');

/** Which customers each framework binds, and from when, from the ontology's profile. */
function compileBindings(ontology: Ontology): Map<string, Binding> {
  const bindings = new Map<string, Binding>();
  const problems: string[] = [];
  for (const [framework, binding] of ontology.profiles.get('default') ?? []) {
    try {
      const compiled = (text: string) => (text === '' ? null : compileCondition(text, FACT_VOCABULARY));
      const scope = compiled(binding.condition);
      bindings.set(framework, { ...binding, scope, shown: compiled(binding.shown_when) });
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      problems.push(`profiles/default.yaml: \`${framework}\`: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new OntologyError(problems);
  return bindings;
}

export interface KnowledgeOptions {
  /** Folder of the ontology; default: that of this checkout. */
  root?: string;
  /** Whether the structural layer takes part. Default true, as `GNN_ENABLED`. */
  is_structural?: boolean;
}

/** What this checkout ships, by `is_structural`: nothing changes it, so that all that a process runs shares it. */
const shipped = new Map<boolean, Knowledge>();

/**
 * Everything under `ontology/` of this checkout, or of another folder, and the weights of the structural layer. That of this checkout
 * is read once in a process.
 *
 * @throws OntologyError listing every problem: unknown articles, conditions that do not compile with their position, …
 */
export async function loadKnowledge(options: KnowledgeOptions = {}): Promise<Knowledge> {
  const { root = ONTOLOGY_ROOT, is_structural = true } = options;
  if (root !== ONTOLOGY_ROOT) return readKnowledge(root, is_structural);
  const known = shipped.get(is_structural) ?? readKnowledge(root, is_structural);
  shipped.set(is_structural, known);
  return known;
}

function readKnowledge(root: string, is_structural: boolean): Knowledge {
  const structural = is_structural ? loadStructural() : null;
  const ontology = loadOntology(root);
  const files = readYamlDocuments(resolve(root), isRule);
  const problems = files.flatMap(({ path, content }) => ruleProblems(path, content, ontology));
  if (problems.length > 0) throw new OntologyError(problems);
  const index = compileRules(files.map((file) => file.content as RuleDocument));
  const reducer_files = readYamlDocuments(resolve(root), isReducer);
  const reducer_problems = reducer_files.flatMap(({ path, content }) => reducerProblems(path, content, index.rules));
  if (reducer_problems.length > 0) throw new OntologyError(reducer_problems);
  const reducers = compileReducers(
    reducer_files.map((file) => file.content as ReducerDocument),
    index.rules,
  );
  const version = createHash('sha256')
    .update(ontology.version)
    .update(versionOf(files))
    .update(versionOf(reducer_files))
    .update(structural?.version ?? '')
    .digest('hex')
    .slice(0, VERSION_LENGTH);
  return {
    version,
    structural,
    ontology,
    rules: index.rules,
    index,
    reducers,
    rule_by_id: new Map(index.rules.map((rule) => [rule.id, rule])),
    bindings: compileBindings(ontology),
  };
}
