/** What ships with the product and is the same for every event: the ontology and the rules, under one version. */
import type { Condition } from '../lang/conditions.ts';
import type { FrameworkBinding, Ontology } from '../ontology/index.ts';
import type { Reducer } from './rules/reducers.ts';
import type { Rule, RuleIndex } from './rules/rules.ts';

/** When a framework binds, with the condition of its scope compiled; `null` for all events. */
export interface Binding extends FrameworkBinding {
  scope: Condition | null;
}

export interface Knowledge {
  /** Changes with any byte of ontology or rules; stored with every score. */
  version: string;
  ontology: Ontology;
  rules: readonly Rule[];
  index: RuleIndex;
  reducers: readonly Reducer[];
  rule_by_id: ReadonlyMap<string, Rule>;
  /** framework → whom and when it binds; one that does not bind may be cited by a rule and is never claimed. */
  bindings: ReadonlyMap<string, Binding>;
}
