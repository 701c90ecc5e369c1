/** Whether more money is given back than the record of the payment or order says was paid. */

import { numberOf } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { type ResultRecord, recordsOf } from '../../conversation/transcript/records.ts';
import type { Argument } from '../argument.ts';

const words = perOntology((ontology) => ({
  paid: setOf(ontology, 'paid_amount_fields'),
  ids: setOf(ontology, 'record_id_fields'),
}));

/** A rounded amount is not more. */
const TOLERANCE = 1.01;
/** An amount so many times larger is most likely written in cents. */
const CENTS = 20;
const SHORTEST_ID = 3;

/** The amount that the record says was paid, if the action's amount is more than it; 0 otherwise, or if no record tells. */
export function exceededRecord(ontology: Ontology, args: readonly Argument[], text: TextReading): number {
  const amounts = args.filter(({ role, provenance }) => role === 'amount' && provenance !== 'user');
  if (amounts.length === 0) return 0;
  const most = Math.max(...amounts.map(({ value }) => Math.abs(numberOf(value))));
  const ids = new Set(
    args
      .filter(
        ({ kind, role, value }) =>
          role !== 'amount' && kind !== 'phrase' && kind !== 'flag' && value.length >= SHORTEST_ID,
      )
      .map(({ value }) => value),
  );
  for (const record of recordsOf(text)) {
    const paid = paidIn(record, ids, ontology);
    if (paid > 0 && most > paid * TOLERANCE && most < paid * CENTS) return paid;
  }
  return 0;
}

/** The largest amount of a record whose own id the action names; 0 if it is another record. */
function paidIn({ fields }: ResultRecord, ids: ReadonlySet<string>, ontology: Ontology): number {
  const { paid, ids: id_fields } = words(ontology);
  if (![...fields].some(([key, value]) => (id_fields.has(key) || key.endsWith('_id')) && ids.has(value))) return 0;
  const amounts = [...fields].filter(([key]) => paid.has(key)).map(([, value]) => Math.abs(numberOf(value)));
  return Math.max(0, ...amounts.filter((amount) => Number.isFinite(amount)));
}
