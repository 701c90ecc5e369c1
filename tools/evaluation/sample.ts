/** A part of the records, the same each time. */
import { randomIntegers } from './random.ts';
import type { ReadRecord } from './read-records.ts';

/** So many records of each source and label, drawn without replacement; all of them for 0. */
export function chooseRecords(records: readonly ReadRecord[], sample: number, seed: number): ReadRecord[] {
  if (sample === 0) return [...records];
  const draw = randomIntegers(seed);
  const parts = Map.groupBy(records, ({ record }) => `${record.source} ${record.label}`);
  return [...parts.values()].flatMap((part) => {
    const left = [...part];
    const chosen: ReadRecord[] = [];
    while (chosen.length < sample && left.length > 0) chosen.push(left.splice(draw(left.length), 1)[0]!);
    return chosen;
  });
}
