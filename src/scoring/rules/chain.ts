/** Forward chaining: which rules fire on the facts of an event, and the findings that they yield. */
import { type Environment, type Guard, isPresent } from '../../lang/conditions/conditions.ts';
import { spoken } from '../explanation/spoken.ts';
import type { Facts, Settled } from '../facts/fact-table.ts';
import { show } from '../show.ts';
import type { Finding, Premise } from '../types.ts';
import { type Firing, gravest } from './gravest.ts';
import { BINDING, type Outcome, type Rule, type RuleIndex, type RulesByKey } from './rules.ts';
import { EFFECT_ON } from './template.ts';

/** Most rounds of chaining. The limit ends a cycle of rules that keep asserting facts. */
const MAX_ROUNDS = 50;

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

/** False if the first conjuncts of the condition rule it out, as they do for most rules of most events. */
function mayHold({ guards }: Rule, facts: Facts): boolean {
  for (let i = 0; i < guards.length; i += 1) if (!isMet(guards[i]!, facts)) return false;
  return true;
}

function isMet(guard: Guard, facts: Facts): boolean {
  for (let i = 0; i < guard.length; i += 1) {
    const { slot, is_present } = guard[i]!;
    if (isPresent(facts.at(slot)) === is_present) return true;
  }
  return false;
}

/** Characters of a record in a premise: its fields have their names. */
const LONGEST_RECORD = 160;

/** The fields of a record that say something: `path: to[0]`, `role: recipient`. */
const partsOf = (record: object): string[] =>
  Object.entries(record).flatMap(([name, part]) => (part === '' || part === false ? [] : [`${name}: ${part}`]));

function premisesOf(rule: Rule, env: RuleEnvironment, facts: Facts): Premise[] {
  const ontology = facts.readings.ontology;
  const premises: Premise[] = [];
  for (const fact of rule.when.reads) {
    const value = env.get(fact);
    const is_list_of_objects = Array.isArray(value) && typeof value[0] === 'object';
    if (is_list_of_objects) continue;
    if (fact === rule.each) premises.push({ fact, value: show(partsOf(value as object), ontology, LONGEST_RECORD) });
    else premises.push({ fact, value: show(value, ontology) });
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
  let asserted: readonly string[] = [...settled.asserted, ...run.try(candidates(index.of_past, facts))];
  for (let i = 1; i < MAX_ROUNDS && asserted.length > 0; i += 1) {
    for (const name of asserted) facts.derive(name);
    asserted = run.try([...new Set(asserted.flatMap((name) => index.readers.get(name) ?? NO_RULES))]);
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
  try(rules: readonly Rule[]): readonly string[] {
    const asserted: string[] = [];
    for (let i = 0; i < rules.length; i += 1) {
      const rule = rules[i]!;
      if (!mayHold(rule, this.#facts) || !this.#fires(rule)) continue;
      for (const name of rule.document.asserts ?? NOTHING)
        if (!this.#facts.isDerived(name) && !asserted.includes(name)) asserted.push(name);
    }
    return asserted;
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
