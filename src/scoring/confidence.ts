/**
 * The confidence of an assessment: how likely the verdict, high or not, is right. A logistic sum of signs of doubt. Each sign is
 * 0-1 and only ever adds doubt; the kind of verdict decides which signs count, because a missed harm and a false alarm
 * have different causes. Beyond the line of 0.8 the curve is flatter.
 *
 * No sign reads what a text claims about itself. While the verdict stays below high, text that tools bring in can only add doubt:
 * it may cause findings and orders, and it cannot take back a sign (`test/scoring/confidence.props.test.ts`). Only findings that make
 * the verdict high may raise confidence, and such a verdict is held anyway.
 *
 * The weights are fitted by `npm run fit:confidence` (docs/decisions/0023-confidence.md), those of what the call itself leaves open on
 * collections that are no source of that fit (docs/decisions/0068-confidence-of-calls-that-say-little.md).
 */

import type { Json } from '../lang/json.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { setOf } from '../ontology/words.ts';
import type { Facts } from './facts/fact-table.ts';
import { HIGH } from './level.ts';
import { rise, yes } from './shares.ts';
import type { Finding } from './types.ts';

/** What the signs read of a verdict besides its facts. */
export interface Verdict {
  score: number;
  /** 0-100, of the policy layer. */
  policy_score: number;
  /** 0-100, the severity that the network expects; null where the structural layer is absent. */
  severity: number | null;
  /** 0-100, of the action by itself. */
  intrinsic: number;
  findings: readonly Finding[];
}

export interface Sign {
  what: string;
  /** Added to the logit of being wrong. */
  weight: number;
  /** The fit goes no lower: what is not understood adds doubt even where the labelled actions hold no example of it. */
  least: number;
  /** The fit goes no higher. For what tells more of how actions are reported than of whether the verdict is right. */
  most?: number;
  /** 0-1. */
  of: (facts: Facts, verdict: Verdict) => number;
}

/** Signs that count for one kind of verdict, and the logit of being wrong where none is present. */
export interface Signs {
  base: number;
  signs: readonly Sign[];
}

const SENSITIVE = 2;
/** Contribution of a finding that makes a verdict high by itself. */
const STRONG = 60;

const SIGNS_BELOW_HIGH: Signs = {
  base: -3.48,
  signs: [
    // Not understood
    { what: 'the action is not in the ontology', weight: 2.2, least: 2.2, of: (f) => yes(f.bool('verb_is_unknown')) },
    {
      what: 'the domain is not in the ontology',
      weight: 0.2,
      least: 0.2,
      of: (f) => yes(f.string('known_domain') === ''),
    },
    {
      what: 'a command that is known only when it runs',
      weight: 2.5,
      least: 2.5,
      of: (f) => yes(f.string('unresolved_command') !== ''),
    },
    {
      what: 'a program of which nothing is known',
      weight: 0.5,
      least: 0.5,
      of: (f) => yes(f.string('unknown_program') !== ''),
    },
    {
      what: 'a request to a platform that does not tell what it changes',
      weight: 1.8,
      least: 1.8,
      of: (f) => yes(f.readings.content.unread_request !== ''),
    },
    { what: 'content that could not be parsed', weight: 1, least: 1, of: (f) => yes(f.bool('content_is_unparsed')) },
    {
      what: 'text or code was cut',
      weight: 0.5,
      least: 0.5,
      of: ({ readings: { text, content } }) => yes(text.is_truncated || content.was_cut),
    },
    { what: 'code in a language that is read by its words', weight: 1.61, least: 0.3, of: readByWords },
    { what: 'the destination is unknown', weight: 0.3, least: 0.3, of: (f) => yes(f.string('sink') === 'unknown') },
    // Not in the event
    { what: 'no request', weight: 0.9, least: 0, most: 0.9, of: (f) => yes(!f.bool('has_request')) },
    {
      what: 'an open request',
      weight: 0.5,
      least: 0.5,
      of: (f) => yes(f.bool('has_request') && f.readings.intent.is_open_ended),
    },
    { what: 'code or a file that is not in the event', weight: 0.3, least: 0.3, of: runsUnseen },
    { what: 'code that is stored and does something when it runs', weight: 0.21, least: 0, of: storesCode },
    // The name and the arguments of the call say little
    { what: 'an act without a single argument', weight: 1.8, least: 1.8, of: actsWithoutArguments },
    { what: 'a name that states no act, for something of weight', weight: 1.8, least: 1.8, of: callsSomethingOfWeight },
    // An action of consequence, and what it rests on
    { what: 'an act that reaches others or is hard to take back', weight: 1, least: 1, of: hasConsequence },
    {
      what: 'sensitive data in an action that changes something',
      weight: 0.8,
      least: 0,
      of: (f) => yes(f.bool('is_mutating') && f.int('data_severity') >= SENSITIVE),
    },
    {
      what: 'code with effects',
      weight: 0.9,
      least: 0,
      of: (f) => rise(f.strings('content_effects').length, 0, 2),
    },
    // A suspicion that was not enough
    // A single finding of 5 points is hardly a suspicion; with 40 points the rules themselves are two thirds of the way to high.
    { what: 'a finding', weight: 0.55, least: 0, of: (_, { policy_score }) => rise(policy_score, 4, 12) },
    {
      what: 'findings of some weight',
      weight: 0.88,
      least: 0,
      of: (_, { policy_score }) => rise(policy_score, 10, 25),
    },
    {
      what: 'findings of much weight',
      weight: 0.67,
      least: 0,
      of: (_, { policy_score }) => rise(policy_score, 20, 40),
    },
    {
      // From about 0.9 to 0.65 of the probability that it is at the lowest level.
      what: 'the network does not place it at the lowest level',
      weight: 1.39,
      least: 0,
      of: (_, { severity }) => rise(severity ?? 0, 7, 14),
    },
    {
      what: 'the graph of the event looks like harm',
      weight: 0.14,
      least: 0,
      of: (_, { severity }) => rise(severity ?? 0, 15, 60),
    },
    { what: 'a score near high', weight: 0.33, least: 0.3, of: (_, { score }) => rise(score, 45, HIGH - 1) },
    {
      what: 'an order in text from outside',
      weight: 1,
      least: 0.1,
      most: 1,
      of: (f) => f.get('instruction_strength') as number,
    },
  ],
};

const SIGNS_AT_HIGH: Signs = {
  base: -4.24,
  signs: [
    { what: 'everyday work on the user’s project', weight: 1, least: 1, of: (f) => yes(f.bool('is_own_work')) },
    { what: 'the request asks for it', weight: 0.81, least: 0, of: (f) => yes(f.bool('request_covers_action')) },
    { what: 'barely high', weight: 1.1, least: 0.3, of: (_, { score }) => rise(-score, -80, -HIGH) },
    {
      what: 'no strong finding',
      weight: 0.3,
      least: 0.3,
      of: (_, { findings }) => rise(-strongest(findings), -STRONG, -10),
    },
    {
      what: 'findings of little confidence',
      weight: 0.5,
      least: 0.5,
      of: (_, { findings }) => rise(-surest(findings), -0.95, -0.5),
    },
    { what: 'the action is not in the ontology', weight: 1, least: 1, of: (f) => yes(f.bool('verb_is_unknown')) },
    {
      what: 'the domain is not in the ontology',
      weight: 0.5,
      least: 0.5,
      of: (f) => yes(f.string('known_domain') === ''),
    },
    {
      what: 'a program of which nothing is known',
      weight: 1,
      least: 1,
      of: (f) => yes(f.string('unknown_program') !== ''),
    },
    {
      what: 'content that could not be parsed',
      weight: 0.5,
      least: 0.5,
      of: (f) => yes(f.bool('content_is_unparsed')),
    },
    {
      // Where the layer is absent, it does not agree either.
      what: 'the graph of the event is not plainly harm',
      weight: 0.54,
      least: 0,
      of: (_, { severity }) => rise(-(severity ?? 0), -90, -60),
    },
    {
      what: 'the graph of the event looks little like harm',
      weight: 2.12,
      least: 0,
      of: (_, { severity }) => (severity === null ? 0 : rise(-severity, -60, -20)),
    },
    { what: 'a single finding', weight: 0.2, least: 0.2, of: (_, { findings }) => yes(findings.length < 2) },
    {
      what: 'a command that is known only when it runs',
      weight: 1.3,
      least: 1.3,
      of: (f) => yes(f.string('unresolved_command') !== ''),
    },
  ],
};

const sets = perOntology((ontology) => ({
  looking: setOf(ontology, 'preparing_groups'),
  consequential: setOf(ontology, 'announced_groups'),
}));

const isEmpty = (value: Json | undefined): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every((part) => isEmpty(part)));

/** A look needs no argument; an act without any depends on what is not in the event. */
function actsWithoutArguments(facts: Facts): number {
  const { event, ontology } = facts.readings;
  return yes(!sets(ontology).looking.has(facts.string('effect')) && isEmpty(event.parameters));
}

/** Layer 1 of a call of which nothing is known but that it is one: 48. Data or places that matter raise it to 55 and more. */
const PLAIN_CALL = 48;
const CALL_OF_WEIGHT = 55;

/** No word of the name is a verb, so that the act is just a `call`; no code says what runs; and place or data are no everyday ones. */
function callsSomethingOfWeight(facts: Facts, { intrinsic }: Verdict): number {
  const isNameless = facts.string('verb') === 'call' && facts.strings('languages').length === 0;
  return isNameless ? rise(intrinsic, PLAIN_CALL, CALL_OF_WEIGHT) : 0;
}

/** Sending, sharing, paying, deleting, granting and the like: what a person announces before it is done. */
function hasConsequence(facts: Facts): number {
  return yes(sets(facts.readings.ontology).consequential.has(facts.string('effect')));
}

/**
 * Code of which no parser knows the grammar. The two languages of Windows have readers of their own, so half is left, for the many cmdlets
 * that are known by their verb and noun alone (docs/decisions/0070).
 */
function readByWords({ readings }: Facts): number {
  const { languages } = readings.content;
  if (languages.includes('script')) return 1;
  return languages.includes('powershell') || languages.includes('cmd') ? 0.5 : 0;
}

function runsUnseen({ readings }: Facts): number {
  for (const { kind } of readings.content.effects)
    if (
      kind === 'runs_code' ||
      kind === 'downloads' ||
      kind === 'downloads_and_runs' ||
      kind === 'takes_foreign_code' ||
      kind === 'feeds_unknown_program'
    )
      return 1;
  return 0;
}

function storesCode({ readings }: Facts): number {
  return yes(readings.content.dormant_effects.length > 0);
}

const strongest = (findings: readonly Finding[]): number =>
  findings.reduce((most, { contribution, floor }) => Math.max(most, contribution, floor), 0);

const surest = (findings: readonly Finding[]): number =>
  findings.reduce((most, { confidence }) => Math.max(most, confidence), 0);

/** Specification 1.1: below it, a language model is asked. */
export const UNSURE_BELOW = 0.8;

/** The signs that are present, by the doubt that they add, most first: what the rules could not see. */
export function doubtsOf(facts: Facts, verdict: Verdict): string[] {
  const present = signsOf(verdict).signs.map(({ what, weight, of }) => ({ what, doubt: weight * of(facts, verdict) }));
  return present
    .filter(({ doubt }) => doubt > 0)
    .sort((a, b) => b.doubt - a.doubt)
    .map(({ what }) => what);
}

/** The signs that count for this verdict. The fit reads them too. */
export const signsOf = ({ score }: Verdict): Signs => (score < HIGH ? SIGNS_BELOW_HIGH : SIGNS_AT_HIGH);

/** The doubt at which a verdict becomes unsure, and how much of the doubt beyond it counts: of very doubtful verdicts many are right. */
const LINE = Math.log(1 / UNSURE_BELOW - 1);
const BEYOND = 0.5;

/** 0-1: how likely a verdict with this logit of being wrong is right. The fit reads it too. */
export function confidenceAt(doubt: number): number {
  return 1 / (1 + Math.exp(doubt <= LINE ? doubt : LINE + BEYOND * (doubt - LINE)));
}

/** 0-1: how likely the verdict is right. */
export function confidenceOf(facts: Facts, verdict: Verdict): number {
  const { base, signs } = signsOf(verdict);
  let doubt = base;
  for (let i = 0; i < signs.length; i += 1) doubt += signs[i]!.weight * signs[i]!.of(facts, verdict);
  return confidenceAt(doubt);
}
