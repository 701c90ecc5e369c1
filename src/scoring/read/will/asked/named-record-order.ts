/**
 * Whether the user orders something for a record that the user named by its number, with values of this record: «send P-771 the
 * results» and the address in what the agent looked up for P-771.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { ActionReading } from '../../action/action.ts';
import { actionWordsOf } from '../../action/naming/action-words.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { namedRecords } from '../../values/records/named-record.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';
import { fitOf } from '../fit.ts';
import type { IntentReading } from '../intent.ts';

/** What of an event's readings this one needs. */
export interface RecordOrderParts {
  event: AgentEvent;
  ontology: Ontology;
  action: ActionReading;
  arguments: Argument[];
  heeded_text: TextReading;
  intent: IntentReading;
}

const MAX_RECORD = 16_384;

export function isOrderForNamedRecord(parts: RecordOrderParts): boolean {
  const { event, ontology, action, arguments: args, heeded_text: text, intent } = parts;
  const outside = args.filter(({ role, provenance }) => role !== '' && provenance === 'tool');
  if (outside.length === 0 || !text.has_request || intent.was_refused) return false;
  const { own_groups } = actionWordsOf(action, vocabularyOf(ontology));
  if ((requestOf(text, ontology).groups & own_groups) === 0) return false;
  if (intent.prohibited_groups.includes(action.effective_group) || fitOf(ontology, action, args, text).ordered > 0)
    return false;
  // A value without any source belongs to no record.
  if (args.some(({ role, provenance, kind }) => role !== '' && provenance === 'none' && kind !== 'phrase'))
    return false;
  const records = namedRecords(event, ontology, text).map((record) => record.slice(0, MAX_RECORD));
  return outside.every(({ value }) => records.some((record) => standsAlone(value, record)));
}
