/** A record that the user named by its number, as «step 3 of WO-5518», and that the agent looked up by this number. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { readCalls } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';

/** A number of a record has letters and digits, or many digits. */
const RECORD_NUMBER = /^(?=.{0,40}\d)(?=.{0,40}[A-Za-z-])[\w-]{4,40}$|^\d{5,20}$/;
const MAX_LEAVES = 100;

/** Whether each number among the parameters, and one at least, stands in records that the user named and the agent looked up. */
export function numbersAreOfNamedRecord(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const said = userWords(text);
  const records = readCalls(event, ontology)
    .filter(({ args }) =>
      [...args.values()].some((value) => RECORD_NUMBER.test(value) && standsAlone(value, said, BORDERS)),
    )
    .flatMap(({ results }) => results);
  if (records.length === 0) return false;
  const numbers = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .map(({ value }) => String(value).trim())
    .filter((value) => /^-?\d{1,12}(?:\.\d{1,6})?$/.test(value));
  return numbers.length > 0 && numbers.every((value) => records.some((record) => standsAlone(value, record, BORDERS)));
}

/** Of a number, which a sign and further digits continue. */
const BORDERS = { before: /[\w.,-]/, behind: /^\w|^[.,-]\d/ };
