/** When the action takes place, by the clock of the place where it was reported. */

import type { AgentEvent } from '../../../events/event.ts';
import { parseTimestamp, type Timestamp } from '../../../lang/timestamp.ts';

export interface TimeReading {
  /** 0-23 in the timestamp's own UTC offset. */
  hour: number;
  /** 1 Monday to 7 Sunday, same offset. */
  day_of_week: number;
}

/** An unreadable timestamp counts as midnight on a Sunday, so that it never looks more harmless than a readable one. */
const UNREADABLE: TimeReading = { hour: 0, day_of_week: 7 };

/** The event's own timestamp, null when it cannot be read. Parsing takes less than a microsecond, so the result is not kept. */
export const timestampOf = (event: AgentEvent): Timestamp | null => parseTimestamp(event.timestamp);

export function readTime(event: AgentEvent): TimeReading {
  const time = timestampOf(event);
  return time === null ? UNREADABLE : { hour: time.hour, day_of_week: time.day_of_week };
}
