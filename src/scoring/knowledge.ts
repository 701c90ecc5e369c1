/** The knowledge that ships with the product and is the same for every event: ontology and rules, under one version. */
import type { Condition } from '../lang/conditions/conditions.ts';
import type { FrameworkBinding, Ontology } from '../ontology/index.ts';
import type { StructuralModel } from './layers/structural.ts';
import type { Reducer } from './rules/reducers.ts';
import type { Rule, RuleIndex } from './rules/rules.ts';

/** When a framework binds. */
export interface Binding extends FrameworkBinding {
  /** Its compiled condition; `null` if it applies to all events. */
  scope: Condition | null;
  /** `shown_when`, compiled; `null` where every event shows it. */
  shown: Condition | null;
}

export interface Knowledge {
  /** Changes with any byte of ontology, rules or the structural layer's weights; stored with every score. */
  version: string;
  /** The trained structural layer; null where it is switched off. */
  structural: StructuralModel | null;
  ontology: Ontology;
  rules: readonly Rule[];
  index: RuleIndex;
  reducers: readonly Reducer[];
  rule_by_id: ReadonlyMap<string, Rule>;
  /** Framework → when it binds. A rule may cite a framework that does not bind; it is then not part of the answer. */
  bindings: ReadonlyMap<string, Binding>;
}
