/** Whether a history says anything. */
import type { History } from '../types.ts';

/** A history that says nothing. Stored histories omit these values, so none of them may ever change. */
export const silent = (): History => ({
  first_seen: [],
  changes_per_minute: 0,
  actions_per_minute: 0,
  burst: 0,
  is_unusual_hour: false,
  off_hours: '',
  clock: '',
  drift: 0,
  refused: 0,
  high: 0,
  earlier_actions: [],
  seen_classes: [],
  runs_written: [],
  repeats: 0,
  is_steady: false,
  refused_elsewhere: '',
  is_refused_by_person: false,
  troubled_place: '',
  classes_of_others: [],
  inherited: [],
});

/** Whether one field of a history says anything. */
export const says = (value: History[keyof History]): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

export function saysSomething(history: History): boolean {
  for (const name in history) if (says(history[name as keyof History])) return true;
  return false;
}
