/** Younger things go than the user said: `at < current_date - 30` for «older than 400 days». */
import type { AgentEvent } from '../../../../../events/event.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { type Age, ageOf, askedAges, reachesAge } from '../../asked/retention.ts';
import type { Contradiction } from '../contradicted.ts';

const LARGEST_FACTOR = 1_000;

export function otherAges(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const asked = askedAges(text);
  const [first] = asked;
  if (first === undefined) return [];
  const age: Age | null = ageOf(event, ontology);
  if (age === null || age.seconds <= 0 || reachesAge(age, asked)) return [];
  return [
    {
      parameter: age.path,
      asked: first.text,
      used: age.text,
      kind: 'quantity',
      factor: Math.min(LARGEST_FACTOR, first.value / age.seconds),
      is_less: true,
    },
  ];
}
