/** A value of a record that a mark closes: «information block, no disclosure», and what is sent holds an address from it. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { scanRecords } from '../../conversation/transcript/records.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const marks = perOntology((ontology) => anyOf(ontology, 'closing_marks'));

const MAX_PASSAGES = 40;
const MAX_PASSAGE = 16_384;
const MAX_LEAVES = 100;
const MAX_VALUE = 8_192;
/** A mark is the short value of a field; a longer text may speak of anything. */
const QUOTED = /"([^"\n]{4,120})"/g;
/** Shorter values stand in any text. */
const SHORTEST = 8;
const LONGEST = 160;

/** The mark of the record that a value of the parameters is from, '' where there is none. What the user said is the user's. */
export function closingMark(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const sent = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .map(({ value }) => (typeof value === 'string' ? foldText(value.slice(0, MAX_VALUE)) : ''))
    .filter((value) => value.length >= SHORTEST)
    .join('\n');
  if (sent === '') return '';
  const said = foldedUserWords(text);
  for (const { text: passage } of text.untrusted.slice(-MAX_PASSAGES)) {
    const cut = passage.slice(0, MAX_PASSAGE);
    if (!cut.includes('{')) continue;
    const mark = [...cut.matchAll(QUOTED)].find(([, value = '']) => marks(ontology).test(foldText(value)))?.[1];
    if (mark === undefined) continue;
    for (const fields of scanRecords(cut).records)
      for (const value of fields.values()) if (isCarried(foldText(value), sent, said)) return mark;
  }
  return '';
}

/** An address, a number or a sentence of the record. A name says whom the message is about. */
const isCarried = (value: string, sent: string, said: string): boolean =>
  value.length >= SHORTEST &&
  value.length <= LONGEST &&
  /\d/.test(value) &&
  sent.includes(value) &&
  !said.includes(value);
