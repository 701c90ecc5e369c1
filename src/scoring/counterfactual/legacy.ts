/** Flat fields of older clients that contradict the other fields. */

import { legacyReading } from '../../events/legacy.ts';
import type { Facts } from '../facts/fact-table.ts';
import { type Change, withEvent } from './change.ts';

/** Drops the contradicting flat fields. */
export function legacyFieldsAgree({ readings }: Facts): Change[] {
  const legacy = legacyReading(readings.event);
  if (legacy === null) return [];
  const names = legacy.contradicting.map((name) => `\`${name}\``).join(' and ');
  return [
    {
      text: `${names} did not contradict the other fields`,
      decided_by: 'agent',
      concerns: 'legacy',
      apply: (evidence) => withEvent(evidence, ({ legacy: _, ...event }) => event),
    },
  ];
}
