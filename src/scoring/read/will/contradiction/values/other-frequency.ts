/** Another frequency than the user's: a weekly dose ordered daily, every 4 hours for every 8. */
import type { AgentEvent } from '../../../../../events/event.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import type { Contradiction } from '../contradicted.ts';
import { type Frequency, frequenciesIn, givenFrequencies } from './frequencies.ts';

const askedFrequencies: (text: TextReading) => readonly Frequency[] = perRequest(frequenciesIn);

/** «Daily» may mean working days, a month four weeks: less than this apart is the same. */
const LEAST_RATIO = 1.6;

/** Nothing where the user names several frequencies: each may belong to something else. */
export function otherFrequencies(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const given = givenFrequencies(event, ontology);
  if (given.length === 0) return [];
  const [asked, ...more] = askedFrequencies(text);
  if (asked === undefined || more.some(({ per_day }) => per_day !== asked.per_day)) return [];
  return given.flatMap(({ path, per_day, text: used }) => {
    const factor = Math.max(per_day / asked.per_day, asked.per_day / per_day);
    if (factor < LEAST_RATIO) return [];
    const is_less = per_day < asked.per_day;
    return [{ parameter: path, asked: asked.text, used, kind: 'quantity', factor: Math.min(1_000, factor), is_less }];
  });
}
