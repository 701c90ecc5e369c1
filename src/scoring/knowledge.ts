/** What ships with the product and is the same for every event: the ontology and the rules, under one version. */
import type { Condition } from '../lang/conditions.ts';
import type { Ontology } from './ontology.ts';
import type { Rule, RuleIndex } from './rules.ts';

export interface Knowledge {
  /** Changes with any byte of ontology or rules; stored with every score. */
  version: string;
  ontology: Ontology;
  rules: readonly Rule[];
  index: RuleIndex;
  rule_by_id: ReadonlyMap<string, Rule>;
  /** framework → when it binds; a framework that is not here is cited by a rule and never claimed. */
  bindings: ReadonlyMap<string, Condition | 'always'>;
}
