/**
 * Rules: from a parsed YAML document to something that fires (`chain.ts`).
 *
 * A rule reads facts (`scoring/facts`), may be tried once for each element of a list (`each: argument`), and yields a
 * finding, further facts (`asserts`), or both. Rules are indexed by fact values that they need in order to fire, so the
 * cost of an event depends on what the event contains more than on the number of rules.
 */
import {
  type Condition,
  compileCondition,
  type Guard,
  type Key,
  type NameDef,
  type Vocabulary,
} from '../../lang/conditions/conditions.ts';
import { OntologyError } from '../../ontology/problems.ts';
import { SLOTS } from '../facts/fact-table.ts';
import { FACT_BY_NAME, FACTS } from '../facts/index.ts';
import type { RuleDocument } from './rule-document.ts';
import { compileTemplate, type Template } from './template.ts';

/** Name of one element in the condition of a rule with `each` → the fact with the list of these elements. */
export const BINDINGS: ReadonlyMap<string, string> = new Map([
  ['argument', 'arguments'],
  ['instruction', 'instructions'],
  ['content_effect', 'effects'],
  ['stored_effect', 'stored_code'],
  ['weakening', 'weakened_checks'],
  ['payload', 'payloads'],
  ['cloud_call', 'cloud_calls'],
  ['contradiction', 'contradictions'],
]);

/** Slot of the element that a rule is tried with, independent of its name. */
export const BINDING = -1;

export interface Outcome {
  contribution: number;
  floor: number;
}

export interface Rule extends Outcome {
  id: string;
  /** Its position in the index. */
  number: number;
  document: RuleDocument;
  /** Name of the binding; '' if the rule is tried once for the whole event. */
  each: string;
  /** Slot of the list that the binding iterates over; `BINDING` if there is none. */
  list: number;
  when: Condition;
  /** Of `when`. */
  guards: readonly Guard[];
  /** The rule is indexed under several keys, and one event may have more than one of them. */
  is_met_twice: boolean;
  /** It reads facts that rules assert, so a later round may try it again. */
  is_tried_again: boolean;
  /** It reads facts that depend on the past or that rules assert. */
  is_of_past: boolean;
  /** The first one whose condition holds replaces the contribution and the floor. */
  aggravated: readonly (Outcome & { when: Condition })[];
  violation: Template;
  mitigations: readonly Template[];
  /** Every mitigation is the same for every event. */
  has_fixed_mitigations: boolean;
  /** Ids of the articles that it cites. */
  citations: readonly string[];
}

export interface RuleIndex {
  rules: readonly Rule[];
  /** Rules that do not depend on the past: tried once for an event. */
  of_event: RulesByKey;
  /** Rules that depend on the past: tried again when the same event has another past. */
  of_past: RulesByKey;
  /** Asserted fact → rules that read it. */
  readers: ReadonlyMap<string, readonly Rule[]>;
}

/** Rules, indexed by the fact values that they need. */
export interface RulesByKey {
  /** For each fact that some rule needs: value → rules that cannot fire unless the fact has that value. */
  by_key: readonly { slot: number; by_value: ReadonlyMap<unknown, readonly Rule[]> }[];
  /** Rules that need no particular fact value: tried for every event. */
  always: readonly Rule[];
}

/** All facts, for the conditions of built-in rules, reducers and scopes of frameworks. */
export const FACT_VOCABULARY: Vocabulary = {
  names: new Map(
    FACTS.map(({ name, type, about, fields }, slot): [string, NameDef] => [
      name,
      { type, about, slot, ...(fields ? { fields } : {}) },
    ]),
  ),
  functions: new Map(),
};

/** What rules may read, by the name of their binding. Made once for each: a vocabulary is expensive to declare to the checker. */
class Vocabularies {
  readonly #derived: ReadonlySet<string>;
  readonly #made = new Map<string, Vocabulary>();

  /** `derived`: names of the facts that rules assert. */
  constructor(derived: ReadonlySet<string>) {
    this.#derived = derived;
  }

  of(each: string): Vocabulary {
    let vocabulary = this.#made.get(each);
    if (vocabulary === undefined) {
      vocabulary = this.#make(each);
      this.#made.set(each, vocabulary);
    }
    return vocabulary;
  }

  #make(each: string): Vocabulary {
    const names = new Map(FACT_VOCABULARY.names);
    for (const name of this.#derived) names.set(name, { type: 'bool', about: 'asserted by a rule' });
    if (each !== '') {
      const fields = FACT_BY_NAME.get(BINDINGS.get(each) ?? '')?.fields;
      if (fields === undefined)
        throw new Error(`\`each: ${each}\` names no list; use one of: ${[...BINDINGS.keys()].join(', ')}`);
      names.set(each, { type: 'object', about: 'the element that the rule is tried with', fields, slot: BINDING });
    }
    return { names, functions: new Map() };
  }
}

/** Compiles one field of a rule and prefixes an error with the name of the field. */
function within<T>(field: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw new Error(`${field}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** A fact that is not a list has one value, so at most one of its keys holds. In a list several keys may hold, and one twice. */
function isMetTwice(keys: readonly Key[]): boolean {
  return keys.some(({ name }) => name !== keys[0]!.name || FACT_BY_NAME.get(name)?.type.startsWith('list') !== false);
}

function compileRule(
  document: RuleDocument,
  number: number,
  derived: ReadonlySet<string>,
  vocabularies: Vocabularies,
): Rule {
  const each = document.each ?? '';
  const vocabulary = vocabularies.of(each);
  const when = within('when', () => compileCondition(document.when, vocabulary));
  const contribution = document.contribution;
  const floor = document.floor ?? 0;
  const aggravated = (document.aggravated ?? []).map((more, i) => ({
    when: within(`aggravated/${i}/when`, () => compileCondition(more.when, vocabulary)),
    contribution: more.contribution ?? contribution,
    floor: Math.max(more.floor ?? 0, floor),
  }));
  const violation = within('violation', () => compileTemplate(document.violation, vocabulary));
  const mitigations = document.mitigations.map((text, i) =>
    within(`mitigations/${i}`, () => compileTemplate(text, vocabulary)),
  );
  const said = [violation, ...mitigations].flatMap((template) => template.reads);
  const reads = [...when.reads, ...aggravated.flatMap((more) => more.when.reads), ...said];
  return {
    id: document.id,
    number,
    document,
    each,
    list: SLOTS.get(BINDINGS.get(each) ?? '') ?? BINDING,
    when,
    guards: when.guards,
    is_met_twice: isMetTwice(when.keys ?? []),
    is_tried_again: when.reads.some((name) => derived.has(name)),
    is_of_past: reads.some((name) => derived.has(name) || FACT_BY_NAME.get(name)?.is_from_past === true),
    aggravated,
    contribution,
    floor,
    violation,
    mitigations,
    has_fixed_mitigations: mitigations.every(({ is_fixed }) => is_fixed),
    citations: document.cites.map((cite) => cite.id),
  };
}

/**
 * Compiles the rules and indexes them.
 *
 * @throws OntologyError with every rule that does not compile: its file, the position and the reason
 */
export function compileRules(documents: readonly RuleDocument[]): RuleIndex {
  const derived = new Set(documents.flatMap((document) => document.asserts ?? []));
  const vocabularies = new Vocabularies(derived);
  const problems: string[] = [];
  const rules: Rule[] = [];
  // Sorted, so that the order in which files are read does not change the index.
  for (const document of [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))) {
    try {
      rules.push(compileRule(document, rules.length, derived, vocabularies));
    } catch (error) {
      problems.push(
        `rules/${document.family}/${document.id}.yaml: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  if (problems.length > 0) throw new OntologyError(problems);
  return indexRules(rules, derived);
}

/** A key that holds for most events selects nothing. */
const isAbsence = ({ value }: Key): boolean => value === false || value === '';

function indexRules(rules: readonly Rule[], derived: ReadonlySet<string>): RuleIndex {
  const readers = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const name of rule.when.reads) if (derived.has(name)) readers.set(name, [...(readers.get(name) ?? []), rule]);
  return {
    rules,
    of_event: byKey(rules.filter(({ is_of_past }) => !is_of_past)),
    of_past: byKey(rules.filter(({ is_of_past }) => is_of_past)),
    readers,
  };
}

function byKey(rules: readonly Rule[]): RulesByKey {
  const by_key = new Map<string, Map<unknown, Rule[]>>();
  const always: Rule[] = [];
  for (const rule of rules) {
    const keys = rule.when.keys?.some(isAbsence) ? null : rule.when.keys;
    if (keys === null) always.push(rule);
    for (const { name, value } of keys ?? []) {
      const values = by_key.get(name) ?? new Map<unknown, Rule[]>();
      by_key.set(name, values.set(value, [...(values.get(value) ?? []), rule]));
    }
  }
  return {
    // Asserted facts have no slot; their readers are tried in the round after the assertion.
    by_key: [...by_key].flatMap(([name, by_value]) => {
      const slot = SLOTS.get(name);
      return slot === undefined ? [] : [{ slot, by_value }];
    }),
    always,
  };
}
