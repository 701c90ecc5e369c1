/** The rate of actions by minutes of the server's clock: the present minute and the usual one. */

export interface Pace {
  /** The newest minute with an action, counted from 1970, and what happened in it and in the one before. */
  minute: number;
  actions: number;
  changes: number;
  actions_before: number;
  changes_before: number;
  /** Mean number of actions in a minute in which it acts at all: an exponential mean over closed minutes. */
  usual: number;
  /** How many minutes that mean rests on. */
  minutes: number;
}

export interface Rate {
  actions: number;
  changes: number;
}

const MS_PER_MINUTE = 60_000;
/** Weight of the newest minute in the mean: about the last ten count. */
const MINUTE_WEIGHT = 0.1;

export const noPace = (): Pace => ({
  minute: 0,
  actions: 0,
  changes: 0,
  actions_before: 0,
  changes_before: 0,
  usual: 0,
  minutes: 0,
});

/** Counts one action. Changes `pace`. One that comes late counts for the newest minute. */
export function addToPace(pace: Pace, at: number, is_change: boolean): void {
  const minute = Math.floor(at / MS_PER_MINUTE);
  if (minute > pace.minute) closeMinute(pace, minute);
  pace.actions += 1;
  if (is_change) pace.changes += 1;
}

function closeMinute(pace: Pace, minute: number): void {
  if (pace.actions > 0) {
    const usual = pace.minutes === 0 ? pace.actions : pace.usual + MINUTE_WEIGHT * (pace.actions - pace.usual);
    pace.usual = Math.round(usual * 1000) / 1000;
    pace.minutes += 1;
  }
  const is_next = minute === pace.minute + 1;
  pace.actions_before = is_next ? pace.actions : 0;
  pace.changes_before = is_next ? pace.changes : 0;
  pace.minute = minute;
  pace.actions = 0;
  pace.changes = 0;
}

/** What happened in the minute up to `now`: this minute's count and the share of the last one that still reaches in. */
export function rateAt(pace: Pace, now: number): Rate {
  const minute = Math.floor(now / MS_PER_MINUTE);
  const share = 1 - (now / MS_PER_MINUTE - minute);
  // A clock behind the database's sees a minute that has not begun: it counts as the present one.
  if (minute <= pace.minute) {
    return { actions: pace.actions + share * pace.actions_before, changes: pace.changes + share * pace.changes_before };
  }
  if (minute > pace.minute + 1) return { actions: 0, changes: 0 };
  return { actions: share * pace.actions, changes: share * pace.changes };
}
