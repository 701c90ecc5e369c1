/** A record that the user named by its number, as «step 3 of WO-5518», and that the agent looked up by this number. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, splitWords } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { type Call, readCalls, sureResults } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { hashWord } from '../../words/lexer.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';

/** A number of a record has letters and digits, or many digits. */
const RECORD_NUMBER = /^(?=.{0,40}\d)(?=.{0,40}[A-Za-z-])[\w-]{4,40}$|^\d{5,20}$/;
const MAX_LEAVES = 100;

/** What tools returned about records that the user named by their numbers, in the agent's own look-ups by these numbers. */
export function namedRecords(event: AgentEvent, ontology: Ontology, text: TextReading): string[] {
  const said = userWords(text);
  const isSaid = (value: string): boolean => standsAlone(value, said, BORDERS);
  const calls = readCalls(event, ontology);
  return calls.flatMap((call) => {
    const given = [...call.args.values()].filter(isSaid);
    const results = sureResults(call, calls).map((result) => withoutEcho(result, call, said));
    if (given.some((value) => RECORD_NUMBER.test(value))) return [...results];
    // Of what is looked up by a name only records count: a page or a mail may say anything.
    return given.some((value) => isOwnName(value, ontology))
      ? results.filter((result) => /^\s{0,8}[[{]/.test(result))
      : [];
  });
}

/** The result without what the agent itself gave to the call: who is told a value and says it again knows nothing of it. */
function withoutEcho(result: string, { args }: Call, said: string): string {
  let left = result;
  for (const value of args.values())
    if (value.length >= SHORTEST_ECHO && !standsAlone(value, said, BORDERS)) left = left.replaceAll(value, ' ');
  return left;
}

const SHORTEST_ECHO = 2;

/** A name such as `jdoe`, no word that the ontology knows. */
function isOwnName(value: string, ontology: Ontology): boolean {
  if (!/^[\w.@-]{3,64}$/.test(value)) return false;
  const { words, domains } = vocabularyOf(ontology);
  return splitWords(value).some((word) => {
    const hash = hashWord(word);
    return (
      word.length > 2 && words.kinds(hash) === 0 && !domains.has(hash) && !ontology.resource_types.has(singular(word))
    );
  });
}

/** Whether each number among the parameters, and one at least, stands in records that the user named and the agent looked up. */
export function numbersAreOfNamedRecord(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const records = namedRecords(event, ontology, text);
  if (records.length === 0) return false;
  const numbers = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ value }) => NUMBER.exec(String(value).trim())?.[1] ?? []);
  return numbers.length > 0 && numbers.every((value) => records.some((record) => standsAlone(value, record, BORDERS)));
}

/** A number, with a currency or without: `GBP 16,722.16`. */
const NUMBER = /^(?:[A-Z]{3}|[$€£])? ?(-?\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)(?: ?(?:[A-Z]{3}|[$€£]))?$/;
/** Of a number, which a sign and further digits continue. */
const BORDERS = { before: /[\w.,-]/, behind: /^\w|^[.,-]\d/ };
