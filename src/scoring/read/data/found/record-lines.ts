/** Records written out in prose: `Diagnosis: asthma` on a line of a mail says as much as a field of that name. */

import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { snakeCase } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { matchFieldName } from '../../words/field-names.ts';

/** A label of one to four words at the beginning of a line or list item, a colon and something behind it. */
const LINE = /^[\s>*•\d.)-]{0,12}([A-Za-z][A-Za-z'/ -]{1,40}?)\*{0,2}\s{0,4}:\*{0,2}\s{0,4}\S/;
const MAX_TEXT = 65_536;
const MAX_LINES = 1_000;
const LEAST_SEVERITY = 2;

/** A label and what precedes it on its line are no longer than this. */
const LONGEST_LABEL = 64;

/** Pieces of text that end with the first colon of a line and one word more, where that colon can follow a label. */
function labelledStarts(text: string): string[] {
  const starts: string[] = [];
  for (let colon = text.indexOf(':'); colon >= 0 && starts.length < MAX_LINES; ) {
    const from = text.lastIndexOf('\n', colon) + 1;
    if (colon - from <= LONGEST_LABEL) starts.push(text.slice(from, colon + 8));
    const next = text.indexOf('\n', colon);
    colon = next < 0 ? -1 : text.indexOf(':', next);
  }
  return starts;
}

/** Finer kinds of data that labelled lines in the parameters' texts hold, sorted. */
export function recordSubclasses(event: AgentEvent, ontology: Ontology): string[] {
  const kinds = new Set<string>();
  let budget = MAX_TEXT;
  for (const { value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length < 8 || budget <= 0) continue;
    budget -= value.length;
    for (const start of labelledStarts(value.slice(0, MAX_TEXT))) {
      const label = LINE.exec(start)?.[1];
      if (label === undefined || label.split(' ').length > 4) continue;
      const match = matchFieldName(snakeCase(label), ontology);
      if (match !== undefined && match.severity >= LEAST_SEVERITY && !match.is_ambiguous) kinds.add(match.subclass);
    }
  }
  return [...kinds].sort();
}
