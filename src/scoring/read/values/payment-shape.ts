/** Numbers of payments that do not add up: account numbers that fail their check, sums split to stay under a limit. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { abaChecksum, digitsOf, luhn } from '../../../ontology/validators/digits.ts';
import { ibanMod97 } from '../../../ontology/validators/iban.ts';
import type { TextReading } from '../conversation/text.ts';
import type { Argument } from './argument.ts';

/** Two letters, two check digits and at least eleven more characters (ISO 13616): shorter ones are numbers of a bank's own. */
const IBAN_FORM = /^[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}$/i;
const CARD_KEYS = /(?:^|_)(?:card|card_number|card_no|cc_number|credit_card|pan)$/;
const ROUTING_KEYS = /(?:^|_)(?:routing|routing_number|aba|aba_number|rtn)$/;
const MASKED = /[*•]|x{2,}/i;

/** What kinds of account numbers fail their check digits, sorted: IBAN, card, routing number. Masked numbers are none. */
export function malformedAccounts(event: AgentEvent): string[] {
  const kinds = new Set<string>();
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value === 'boolean') continue;
    const text = String(value).trim();
    if (text.length < 9 || text.length > 48 || MASKED.test(text)) continue;
    if (IBAN_FORM.test(text) && /\d{6}/.test(text.replace(/[ -]/g, '')) && !ibanMod97(text)) kinds.add('IBAN');
    if (CARD_KEYS.test(name) && /^[\d -]+$/.test(text) && digitsOf(text).length >= 12 && !luhn(text)) kinds.add('card');
    if (ROUTING_KEYS.test(name) && /^\d{9}$/.test(text) && !abaChecksum(text)) kinds.add('routing number');
  }
  return [...kinds].sort();
}

/** A part this close below a limit is made to fit under it. */
const JUST_BELOW = 0.8;
const MAX_CALLS = 262_144;
const CALLED_AMOUNT = /["']?(?:amount|value|total|sum)["']?\s{0,4}[:=]\s{0,4}["']?(\d[\d,_]{0,14}(?:\.\d{1,2})?)/gi;

const limitsOf = perOntology((ontology) => (ontology.lists.get('reporting_limits') ?? []).map(Number));

/** Two or more payments, this one and earlier calls of the agent, each just below a limit that they exceed together. */
export function splitsPayment(text: TextReading, args: readonly Argument[], ontology: Ontology): boolean {
  const own = args.filter(({ role }) => role === 'amount').map(({ value }) => numberIn(value));
  const earlier = [...text.agent.slice(-MAX_CALLS).matchAll(CALLED_AMOUNT)].map(([, amount = '']) => numberIn(amount));
  return limitsOf(ontology).some((limit) => {
    const isJustBelow = (amount: number): boolean => amount >= limit * JUST_BELOW && amount < limit;
    return own.some(isJustBelow) && earlier.some(isJustBelow);
  });
}

const numberIn = (text: string): number => Number(text.replace(/[^0-9.]/g, ''));
