/** The hours at which an agent works: a histogram over the hours of working days and of weekend days, 48 in all. */

export interface Hours {
  /** Actions by `hourOfWeek`. */
  counts: number[];
  /** Different days seen, and the last of them, counted from 1970. */
  days: number;
  last_day: number;
}

/** A habit begins with so many actions on so many days. */
const LEAST_ACTIONS = 20;
const LEAST_DAYS = 3;
const NIGHT_BEGINS = 22;
const NIGHT_ENDS = 6;
const SATURDAY = 6;
const MS_PER_HOUR = 3_600_000;
const HOURS = 24;

export const noHours = (): Hours => ({ counts: new Array<number>(2 * HOURS).fill(0), days: 0, last_day: -1 });

/** 0-23 on working days, 24-47 on weekends. `day_of_week` is 1 Monday to 7 Sunday. */
export function hourOfWeek(day_of_week: number, hour: number): number {
  return (day_of_week >= SATURDAY ? HOURS : 0) + hour;
}

/** The same of a moment in UTC. */
export function hourOfWeekAt(epoch_ms: number): number {
  const hours = Math.floor(epoch_ms / MS_PER_HOUR);
  const days = Math.floor(hours / HOURS);
  // 1 January 1970 was a Thursday.
  return hourOfWeek(((((days + 3) % 7) + 7) % 7) + 1, hours - days * HOURS);
}

/** Counts one action. Changes `hours`. */
export function addHour(hours: Hours, hour_of_week: number, day: number): void {
  if (hour_of_week < 0) return;
  hours.counts[hour_of_week]! += 1;
  if (day === hours.last_day) return;
  hours.days += 1;
  hours.last_day = day;
}

function hasEnough({ counts }: Hours): boolean {
  let sum = 0;
  for (const count of counts) {
    sum += count;
    if (sum >= LEAST_ACTIONS) return true;
  }
  return false;
}

/** `unknown` until there is a habit; `usual` when something happened within an hour of it on the same kind of day. */
export function habitAt(hours: Hours, hour_of_week: number): 'unknown' | 'usual' | 'unusual' {
  if (hour_of_week < 0 || hours.days < LEAST_DAYS) return 'unknown';
  if (!hasEnough(hours)) return 'unknown';
  const first = hour_of_week >= HOURS ? HOURS : 0;
  for (let step = -1; step <= 1; step++)
    if (hours.counts[first + ((hour_of_week - first + step + HOURS) % HOURS)]! > 0) return 'usual';
  return 'unusual';
}

/** Night (22 to 6) or weekend: rule catalogue, VOL-06. */
export function isOffHours(hour_of_week: number): boolean {
  if (hour_of_week < 0) return false;
  return hour_of_week >= HOURS || hour_of_week >= NIGHT_BEGINS || hour_of_week < NIGHT_ENDS;
}
