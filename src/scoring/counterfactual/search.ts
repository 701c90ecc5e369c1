/**
 * The smallest change that would bring an action below high: each proposal is tried by scoring the changed evidence, so
 * every number that is claimed is one that the engine gave. Single changes first, then pairs.
 */
import { Facts } from '../facts/fact-table.ts';
import type { Knowledge } from '../knowledge.ts';
import { HIGH } from '../level.ts';
import { Readings } from '../read/readings.ts';
import { EventReading } from '../score.ts';
import type { Evidence } from '../types.ts';
import { onlyWhatTheUserNamed, valuesOfTheUser, withoutArgument, withoutSensitiveValues } from './arguments.ts';
import type { Change, Decider, Propose } from './change.ts';
import { legacyFieldsAgree } from './legacy.ts';
import { policyAllows, userConfirms } from './permission.ts';
import {
  boundedStatement,
  fewerFields,
  fewerObjects,
  milderStep,
  shorterCommand,
  withoutWideningSwitch,
} from './scope.ts';

/** In the order of the answers: changes that the agent can make itself, then those that somebody else must make. */
const PROPOSALS: readonly Propose[] = [
  legacyFieldsAgree,
  valuesOfTheUser,
  withoutArgument,
  onlyWhatTheUserNamed,
  withoutSensitiveValues,
  boundedStatement,
  shorterCommand,
  fewerObjects,
  fewerFields,
  withoutWideningSwitch,
  milderStep,
  userConfirms,
  policyAllows,
];
const DECIDERS: readonly Decider[] = ['agent', 'user', 'policy_owner'];

/** Bounds on the scores of one search; more of them hardly improve the answer. */
const MAX_RUNS = 64;
const MAX_SINGLES = 40;
/** The work of one search, in characters scored; a long event gets fewer runs, the same number on every machine. */
const MAX_CHARACTERS = 400_000;
const LEAST_RUNS = 6;
/** Answers of one search: single changes, pairs. */
const MAX_FOUND = 4;
const MAX_PAIRS = 2;

export interface Counterfactual {
  /** Completes «if …». */
  change: string;
  /** What the engine gives to the changed evidence. */
  score: number;
  decided_by: Decider;
  evidence: Evidence;
}

export interface Search {
  /** Changes that bring the action below high; empty when none did, or when it is below high already. */
  found: Counterfactual[];
  /** Where none did: what came lowest, if it lowered the score at all. */
  nearest: Counterfactual | null;
  /** How many changes each of `found` consists of; 2 says that no single one was enough. */
  changes: 1 | 2;
  runs: number;
}

/** Runs that a search over this event may take. */
function runsFor({ event }: Evidence): number {
  return Math.max(LEAST_RUNS, Math.min(MAX_RUNS, Math.floor(MAX_CHARACTERS / (JSON.stringify(event).length + 1))));
}

/** Yields before each run, so that the caller can let other work go on in between. */
export function* searchCounterfactuals(evidence: Evidence, knowledge: Knowledge): Generator<void, Search> {
  const search: Search = { found: [], nearest: null, changes: 1, runs: 0 };
  const most = runsFor(evidence);
  const tried: (Counterfactual & { parts: Change[] })[] = [];
  for (const change of proposalsFor(evidence, knowledge).slice(0, Math.min(MAX_SINGLES, most))) {
    yield;
    tried.push(tryChanges([change], evidence, knowledge));
  }
  search.runs = tried.length;
  search.found = best(tried);
  if (search.found.length > 0) return search;
  search.changes = 2;
  const pairs: (typeof tried)[number][] = [];
  for (const parts of pairsOf(tried).slice(0, most - search.runs)) {
    yield;
    pairs.push(tryChanges(parts, evidence, knowledge));
    if (best(pairs).length >= MAX_PAIRS) break;
  }
  search.runs += pairs.length;
  search.found = best(pairs);
  if (search.found.length === 0) search.nearest = lowest([...tried, ...pairs], scoreOf(evidence, knowledge));
  return search;
}

function proposalsFor(evidence: Evidence, knowledge: Knowledge): Change[] {
  const facts = new Facts(new Readings(evidence, knowledge.ontology));
  return PROPOSALS.flatMap((propose) => propose(facts)).sort(
    (a, b) => DECIDERS.indexOf(a.decided_by) - DECIDERS.indexOf(b.decided_by),
  );
}

function tryChanges(parts: Change[], evidence: Evidence, knowledge: Knowledge) {
  const changed = parts.reduce((before, part) => part.apply(before), evidence);
  const rank = Math.max(...parts.map((part) => DECIDERS.indexOf(part.decided_by)));
  return {
    parts,
    change: parts.map((part) => part.text).join(' and '),
    decided_by: DECIDERS[rank]!,
    evidence: changed,
    score: scoreOf(changed, knowledge),
  };
}

const scoreOf = (evidence: Evidence, knowledge: Knowledge): number =>
  new EventReading(evidence, knowledge).score(evidence.history).score;

/** Below high, in the order of deciders, the lowest score first among equals. */
function best(tried: readonly Counterfactual[]): Counterfactual[] {
  return tried
    .filter((one) => one.score < HIGH)
    .sort((a, b) => DECIDERS.indexOf(a.decided_by) - DECIDERS.indexOf(b.decided_by) || a.score - b.score)
    .slice(0, MAX_FOUND);
}

/** The most promising first: those whose parts came lowest alone. */
function pairsOf(tried: readonly (Counterfactual & { parts: Change[] })[]): Change[][] {
  const pairs: { parts: Change[]; sum: number }[] = [];
  for (const [i, a] of tried.entries()) {
    for (const b of tried.slice(i + 1)) {
      const [one, other] = [a.parts[0]!, b.parts[0]!];
      if (one.concerns !== other.concerns) pairs.push({ parts: [one, other], sum: a.score + b.score });
    }
  }
  return pairs.sort((a, b) => a.sum - b.sum).map(({ parts }) => parts);
}

/** The first of the lowest, so that one change goes before two. */
function lowest(tried: readonly Counterfactual[], than: number): Counterfactual | null {
  const least = Math.min(than, ...tried.map((one) => one.score));
  return least < than ? tried.find((one) => one.score === least)! : null;
}
