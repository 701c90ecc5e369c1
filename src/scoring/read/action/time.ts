/** When the action takes place, by the clock of the place where it was reported. */

import type { AgentEvent } from '../../../events/event.ts';
import { parseTimestamp, type Timestamp } from '../../../lang/timestamp.ts';

export interface TimeReading {
  /** 0-23 in the timestamp's own UTC offset. */
  hour: number;
  /** 1 Monday to 7 Sunday, same offset. */
  day_of_week: number;
}

/** A timestamp that cannot be read counts as the middle of a Sunday night: an unreadable value is not the harmless one. */
const UNREADABLE: TimeReading = { hour: 0, day_of_week: 7 };

/** The event's own timestamp, null when it cannot be read. To parse it takes half a microsecond, less than to keep it. */
export const timestampOf = (event: AgentEvent): Timestamp | null => parseTimestamp(event.timestamp);

export function readTime(event: AgentEvent): TimeReading {
  const time = timestampOf(event);
  return time === null ? UNREADABLE : { hour: time.hour, day_of_week: time.day_of_week };
}
