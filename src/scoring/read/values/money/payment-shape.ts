/** Suspicious numbers of payments: account numbers that fail their check digits, sums split to stay under a limit. */

import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { abaChecksum, digitsOf, luhn } from '../../../../ontology/validators/digits.ts';
import { ibanMod97 } from '../../../../ontology/validators/iban.ts';
import { listOf, patternOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../argument.ts';

/** Two letters, two check digits and at least eleven more characters (ISO 13616): shorter ones are numbers of a bank's own. */
const IBAN_FORM = /^[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}$/i;
const MASKED = /[*•]|x{2,}/i;

const words = perOntology((ontology) => ({
  card: patternOf(ontology, 'parameter_names', 'card'),
  routing_number: patternOf(ontology, 'parameter_names', 'routing_number'),
  called_amount: new RegExp(patternOf(ontology, 'called_amounts', 'amount').source, 'gi'),
  limits: listOf(ontology, 'reporting_limits').map(Number),
}));

/** What kinds of account numbers fail their check digits, sorted: IBAN, card, routing number. Masked numbers are none. */
export function malformedAccounts(event: AgentEvent, ontology: Ontology): string[] {
  const { card, routing_number } = words(ontology);
  const kinds = new Set<string>();
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value === 'boolean') continue;
    const text = String(value).trim();
    if (text.length < 9 || text.length > 48 || MASKED.test(text)) continue;
    if (IBAN_FORM.test(text) && /\d{6}/.test(text.replace(/[ -]/g, '')) && !ibanMod97(text)) kinds.add('IBAN');
    if (card.test(name) && /^[\d -]+$/.test(text) && digitsOf(text).length >= 12 && !luhn(text)) kinds.add('card');
    if (routing_number.test(name) && /^\d{9}$/.test(text) && !abaChecksum(text)) kinds.add('routing number');
  }
  return [...kinds].sort();
}

/** From this share of a limit on, an amount counts as made to fit under it. */
const JUST_BELOW = 0.8;
const MAX_CALLS = 262_144;

/** Two or more payments, this one and earlier calls of the agent, each just below a limit that they exceed together. */
export function splitsPayment(text: TextReading, args: readonly Argument[], ontology: Ontology): boolean {
  const { called_amount, limits } = words(ontology);
  const own = args.filter(({ role }) => role === 'amount').map(({ value }) => numberIn(value));
  const earlier = [...text.agent.slice(-MAX_CALLS).matchAll(called_amount)].map(([, amount = '']) => numberIn(amount));
  return limits.some((limit) => {
    const isJustBelow = (amount: number): boolean => amount >= limit * JUST_BELOW && amount < limit;
    return own.some(isJustBelow) && earlier.some(isJustBelow);
  });
}

const numberIn = (text: string): number => Number(text.replace(/[^0-9.]/g, ''));
