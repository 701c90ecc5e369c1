/**
 * The confidence of an assessment: the share of the needed information that is present. It depends on which fields are
 * present and which words the ontology knows, never on the content of texts, so that no text can move it.
 */
import type { Facts } from './facts/fact-table.ts';
import type { Finding } from './types.ts';

interface Gap {
  what: string;
  penalty: number;
  is_open: (facts: Facts) => boolean;
}

/** Base risk from which an action counts as high-impact (rule catalogue, INJ-03). */
const HIGH_IMPACT = 60;

/** Penalties of the rule catalogue, §2.5; the smaller ones for what the catalogue leaves open. */
const GAPS: readonly Gap[] = [
  { what: 'the action is not in the ontology', penalty: 0.3, is_open: (f) => f.bool('verb_is_unknown') },
  { what: 'the domain is not in the ontology', penalty: 0.05, is_open: (f) => f.string('known_domain') === '' },
  { what: 'the target is not named or of unknown type', penalty: 0.05, is_open: (f) => !f.bool('resource_is_known') },
  {
    what: 'a high-impact action without the request behind it',
    penalty: 0.15,
    is_open: (f) => f.int('base_risk') >= HIGH_IMPACT && !f.bool('has_request'),
  },
  { what: 'no conversation, so no provenance', penalty: 0.05, is_open: (f) => !f.bool('has_history') },
  { what: 'no session', penalty: 0.03, is_open: (f) => f.readings.event.session?.session_id === undefined },
  { what: 'the destination is unknown', penalty: 0.1, is_open: (f) => f.string('sink') === 'unknown' },
  { what: 'content that could not be parsed', penalty: 0.1, is_open: (f) => f.bool('content_is_unparsed') },
  {
    what: 'a command that can only be known when it runs',
    penalty: 0.25,
    is_open: (f) => f.string('unresolved_command') !== '',
  },
  { what: 'a program of which nothing is known', penalty: 0.21, is_open: (f) => f.string('unknown_program') !== '' },
  { what: 'text was cut', penalty: 0.05, is_open: (f) => f.readings.text.is_truncated },
];

/** 0-1: one minus the penalties of open gaps, times the mean confidence of what fired, weighted by contribution. */
export function confidenceOf(facts: Facts, findings: readonly Finding[]): number {
  let coverage = 1;
  for (let i = 0; i < GAPS.length; i += 1) if (GAPS[i]!.is_open(facts)) coverage -= GAPS[i]!.penalty;
  let total = 0;
  let certain = 0;
  for (const { contribution, floor, confidence } of findings) {
    const weight = Math.abs(contribution) + floor;
    total += weight;
    certain += confidence * weight;
  }
  const certainty = total === 0 ? 1 : certain / total;
  return Math.min(1, Math.max(0, coverage * certainty));
}
