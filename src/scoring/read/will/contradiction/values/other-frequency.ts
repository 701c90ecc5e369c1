/** Another frequency than the user's: a weekly dose ordered daily, every 4 hours for every 8. */
import type { AgentEvent } from '../../../../../events/event.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import type { Contradiction } from '../contradicted.ts';
import { frequenciesIn, givenFrequencies } from './frequencies.ts';

/** «Daily» may mean working days, a month four weeks: less than this apart is the same. */
const LEAST_RATIO = 1.6;

/** Nothing where the user names several frequencies: each may belong to something else. */
export function otherFrequencies(event: AgentEvent, ontology: Ontology, said: string): readonly Contradiction[] {
  const given = givenFrequencies(event, ontology);
  if (given.length === 0) return [];
  const [asked, ...more] = frequenciesIn(said, ontology);
  if (asked === undefined || more.some(({ per_day }) => per_day !== asked.per_day)) return [];
  return given.flatMap(({ path, per_day, text }) => {
    const factor = Math.max(per_day / asked.per_day, asked.per_day / per_day);
    if (factor < LEAST_RATIO) return [];
    const is_less = per_day < asked.per_day;
    return [
      { parameter: path, asked: asked.text, used: text, kind: 'quantity', factor: Math.min(1_000, factor), is_less },
    ];
  });
}
