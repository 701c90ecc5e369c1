/**
 * Rules: from a parsed YAML document to something that fires, and forward chaining over them.
 *
 * A rule reads facts (`scoring/facts`), may be tried once for each element of a list (`each: argument`), and yields a
 * finding, further facts (`asserts`), or both. Rules are indexed by fact values that they need in order to fire, so the
 * cost of an event depends on what the event contains more than on the number of rules.
 */
import {
  type Condition,
  compileCondition,
  type Environment,
  type Key,
  type NameDef,
  type Vocabulary,
} from '../../lang/conditions/conditions.ts';
import { OntologyError } from '../../ontology/problems.ts';
import { spoken } from '../explanation/spoken.ts';
import { type Facts, type Settled, SLOTS } from '../facts/fact-table.ts';
import { FACT_BY_NAME, FACTS } from '../facts/index.ts';
import { show } from '../show.ts';
import type { Finding, Premise } from '../types.ts';
import { type Firing, gravest } from './gravest.ts';
import type { RuleDocument } from './rule-document.ts';
import { compileTemplate, EFFECT_ON, type Template } from './template.ts';

/** Name of one element in the condition of a rule with `each` → the fact with the list of these elements. */
export const BINDINGS: ReadonlyMap<string, string> = new Map([
  ['argument', 'arguments'],
  ['instruction', 'instructions'],
  ['content_effect', 'effects'],
  ['stored_effect', 'stored_code'],
  ['weakening', 'weakened_checks'],
  ['payload', 'payloads'],
  ['cloud_call', 'cloud_calls'],
]);

/** Slot of the element that a rule is tried with, independent of its name. */
const BINDING = -1;

/** Most rounds of chaining. The limit ends a cycle of rules that keep asserting facts. */
const MAX_ROUNDS = 50;

interface Outcome {
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
interface RulesByKey {
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

function vocabularyOf(derived: ReadonlySet<string>, each: string): Vocabulary {
  const names = new Map(FACT_VOCABULARY.names);
  for (const name of derived) names.set(name, { type: 'bool', about: 'asserted by a rule' });
  if (each !== '') {
    const fields = FACT_BY_NAME.get(BINDINGS.get(each) ?? '')?.fields;
    if (fields === undefined)
      throw new Error(`\`each: ${each}\` names no list; use one of: ${[...BINDINGS.keys()].join(', ')}`);
    names.set(each, { type: 'object', about: 'the element that the rule is tried with', fields, slot: BINDING });
  }
  return { names, functions: new Map() };
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

function compileRule(document: RuleDocument, number: number, derived: ReadonlySet<string>): Rule {
  const each = document.each ?? '';
  const vocabulary = vocabularyOf(derived, each);
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
  const problems: string[] = [];
  const rules: Rule[] = [];
  // Sorted, so that the order in which files are read does not change the index.
  for (const document of [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))) {
    try {
      rules.push(compileRule(document, rules.length, derived));
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

/** What the condition of a rule reads: facts, asserted facts, and the element that the rule is tried with. */
class RuleEnvironment implements Environment {
  unevaluable = false;
  readonly #facts: Facts;
  binding_name = '';
  binding: object | null = null;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get(name: string): unknown {
    if (this.binding !== null && name === this.binding_name) return this.binding;
    return this.#facts.get(name) ?? this.#facts.isDerived(name);
  }

  at(slot: number): unknown {
    return slot === BINDING ? this.binding : this.#facts.at(slot);
  }
}

const NONE: Firing[] = [];
const NOTHING: readonly string[] = [];
const NO_RULES: readonly Rule[] = [];
const WHOLE_EVENT: readonly (object | null)[] = [null];

/** The rules that may fire, each once. */
function candidates({ always, by_key }: RulesByKey, facts: Facts): readonly Rule[] {
  const found = always.slice();
  for (let i = 0; i < by_key.length; i += 1) {
    const { slot, by_value } = by_key[i]!;
    const value = facts.at(slot);
    // No rule is indexed under `false` or `''`, so skip them: most facts of most events have one of these values.
    if (value === false || value === '') continue;
    if (typeof value !== 'object') takeOnce(by_value.get(value), found);
    else for (let at = 0; at < value.length; at += 1) takeOnce(by_value.get(value[at]), found);
  }
  return found;
}

function takeOnce(rules: readonly Rule[] | undefined, found: Rule[]): void {
  if (rules === undefined) return;
  for (let i = 0; i < rules.length; i += 1) {
    const rule = rules[i]!;
    if (!rule.is_met_twice || !found.includes(rule)) found.push(rule);
  }
}

function premisesOf(rule: Rule, env: RuleEnvironment, facts: Facts): Premise[] {
  const ontology = facts.readings.ontology;
  const premises: Premise[] = [];
  for (const fact of rule.when.reads) {
    const value = env.get(fact);
    const is_list_of_objects = Array.isArray(value) && typeof value[0] === 'object';
    if (is_list_of_objects) continue;
    const shown =
      fact === rule.each ? Object.values(value as object).filter((field) => field !== '' && field !== false) : value;
    premises.push({ fact, value: show(shown, ontology) });
  }
  return premises;
}

/** The weight of a rule that holds for an element (or the whole event); null if the rule only asserts facts. */
function firingOf(rule: Rule, env: RuleEnvironment, at: number): Firing | null {
  const { contribution, floor } = outcomeOf(rule, env);
  if (contribution === 0 && floor === 0) return null;
  const evidence = env.binding === null ? rule.id : `${rule.each}:${Object.values(env.binding).slice(0, 2).join(' ')}`;
  return { at, evidence, contribution, floor };
}

function outcomeOf(rule: Rule, env: RuleEnvironment): Outcome {
  for (const more of rule.aggravated) if (more.when.test(env)) return more;
  return rule;
}

function findingOf(rule: Rule, firing: Firing, env: RuleEnvironment, facts: Facts): Finding {
  const { document } = rule;
  const { ontology } = facts.readings;
  const read = (path: readonly string[]): string => spoken(path, readPath(env, path), ontology);
  return {
    rule: rule.id,
    family: document.family,
    contribution: firing.contribution,
    floor: firing.floor,
    confidence: document.confidence,
    flag: document.flag,
    violation: rule.violation.fill(read),
    citations: rule.citations,
    premises: premisesOf(rule, env, facts),
    evidence: firing.evidence,
    is_custom: false,
    ...(!rule.has_fixed_mitigations && { mitigations: rule.mitigations.flatMap((one) => one.fillWhole(read) ?? []) }),
  };
}

function readPath(env: Environment, path: readonly string[]): unknown {
  if (path[0] === EFFECT_ON) return env.get('effects');
  let value = env.get(path[0]!);
  for (let i = 1; i < path.length; i += 1) value = (value as Record<string, unknown> | undefined)?.[path[i]!];
  return value;
}

/**
 * Runs the rules to a fixed point and returns the findings in canonical order (rule id, then binding).
 *
 * Each round tries its rules against the facts as they stood when the round began, so the order of rules does not change
 * the result. A rule fires at most once for each binding. Another round follows only if a rule asserted a fact that
 * another rule reads. Findings of rules that do not depend on the past are kept with the facts, for the next past.
 */
export function chain(index: RuleIndex, facts: Facts): Finding[] {
  if (facts.settled?.by !== index) facts.settled = settle(index, facts);
  const { settled } = facts;
  const run = new Run(facts);
  run.findings.push(...settled.findings);
  let asserted = [...settled.asserted, ...run.try(candidates(index.of_past, facts))];
  for (let i = 1; i < MAX_ROUNDS && asserted.length > 0; i += 1) {
    for (const name of asserted) facts.derive(name);
    asserted = run.try(new Set(asserted.flatMap((name) => index.readers.get(name) ?? NO_RULES)));
  }
  return run.findings.length < 2 ? run.findings : run.findings.sort(canonically);
}

function settle(index: RuleIndex, facts: Facts): Settled {
  const run = new Run(facts);
  const asserted = run.try(candidates(index.of_event, facts));
  return { by: index, findings: run.findings, asserted };
}

/** The rounds of one event. */
class Run {
  readonly findings: Finding[] = [];
  readonly #facts: Facts;
  readonly #env: RuleEnvironment;
  /** Keys of firings of rules that may be tried again. Created on first use: most events have none. */
  #fired: Set<number> | null = null;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#env = new RuleEnvironment(facts);
  }

  /** Runs one round and returns the newly asserted facts. */
  try(rules: Iterable<Rule>): string[] {
    const asserted = new Set<string>();
    for (const rule of rules) {
      if (!this.#fires(rule)) continue;
      for (const name of rule.document.asserts ?? NOTHING) if (!this.#facts.isDerived(name)) asserted.add(name);
    }
    return [...asserted];
  }

  /** Whether the rule holds for any element; adds its findings. */
  #fires(rule: Rule): boolean {
    const env = this.#env;
    const facts = this.#facts;
    const bindings = rule.list === BINDING ? WHOLE_EVENT : (facts.at(rule.list) as readonly object[]);
    let firings: Firing[] = NONE;
    let has_fired = false;
    env.binding_name = rule.each;
    for (let at = 0; at < bindings.length; at += 1) {
      if (this.#fired?.has(firingKey(rule, at))) continue;
      env.binding = bindings[at]!;
      if (!rule.when.test(env)) continue;
      has_fired = true;
      if (rule.is_tried_again) (this.#fired ??= new Set()).add(firingKey(rule, at));
      const firing = firingOf(rule, env, at);
      if (firing === null) continue;
      if (firings === NONE) firings = [firing];
      else firings.push(firing);
    }
    if (firings !== NONE) {
      for (const firing of gravest(firings)) {
        env.binding = bindings[firing.at]!;
        this.findings.push(findingOf(rule, firing, env, facts));
      }
    }
    env.binding = null;
    return has_fired;
  }
}

/** More than the number of elements in any list. */
const MOST_BINDINGS = 2 ** 24;
const firingKey = (rule: Rule, binding: number): number => rule.number * MOST_BINDINGS + binding;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function canonically(a: Finding, b: Finding): number {
  return compare(a.rule, b.rule) || compare(a.evidence, b.evidence) || compare(a.violation, b.violation);
}
