/**
 * What is remembered of a customer across its agents and sessions: the newest marks, bounded in number. Each agent has a fair share,
 * so that one that leaves many marks displaces its own and not those of others.
 */
import type { Mark } from './marks.ts';

/** What a person decided about the event since; '' while nobody has. */
export type Verdict = 'approved' | 'rejected' | '';

/** A mark in a memory; one that is held is there once it is refused. */
export interface Note extends Mark {
  kind: Exclude<Mark['kind'], 'held'>;
  /** Milliseconds since 1970, by the database's clock. */
  at: number;
  /** A person refused it. */
  is_by_person: boolean;
}

/** Refused and risky events on one side, data left behind on the other: a flood of quiet ones displaces no grave one. */
export const MOST_NOTES = 64;

const isTrouble = ({ kind }: Mark): boolean => kind !== 'left';

/** Changes `notes`: adds the mark where it says something, and drops one that is beyond the bound. */
export function note(notes: Note[], mark: Mark, at: number, verdict: Verdict): void {
  const is_by_person = verdict === 'rejected';
  // An action that a person approved is no trouble, and neither is one that still waits below high. The data that it left are there all the same.
  const is_settled = (verdict === 'approved' && isTrouble(mark)) || (mark.kind === 'held' && !is_by_person);
  if (is_settled && mark.classes.length === 0) return;
  const kind = is_by_person ? 'refused' : is_settled || mark.kind === 'held' ? 'left' : mark.kind;
  const one: Note = { ...mark, kind, at, is_by_person };
  notes.push(one);
  const same = notes.filter((other) => isTrouble(other) === isTrouble(one));
  if (same.length > MOST_NOTES) notes.splice(notes.indexOf(displaced(same)), 1);
}

/** The oldest note of the agent that has most of them. */
function displaced(notes: readonly Note[]): Note {
  const counts = new Map<string, number>();
  for (const { agent } of notes) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return notes.reduce<Note | null>((oldest, one) => {
    if (counts.get(one.agent) !== most) return oldest;
    return oldest === null || one.at < oldest.at ? one : oldest;
  }, null)!;
}
