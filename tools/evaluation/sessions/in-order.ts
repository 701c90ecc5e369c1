/** Records as sessions: which belong together, and in which order they took place. */
import type { AgentEvent } from '../../../src/events/event.ts';
import type { ReadRecord } from '../read-records.ts';

/** Steps of one session, first to last. */
export interface RecordedSession {
  source: string;
  steps: ReadRecord[];
}

/**
 * Records by `session.session_id` of their source, ordered by timestamp and then by position in the file. Where an event names
 * no session, its group is taken for one, and a new session begins where the list of earlier actions does not continue the one
 * before: those events get a session id of their own, because the server remembers nothing of events without one.
 */
export function sessionsOf(records: readonly ReadRecord[]): RecordedSession[] {
  const named = records.filter(({ read }) => sessionId(read.event) !== '');
  const unnamed = records.filter(({ read }) => sessionId(read.event) === '');
  const by_name = Map.groupBy(named, ({ record, read }) => `${record.source}\n${sessionId(read.event)}`);
  const by_group = Map.groupBy(unnamed, ({ record }) => `${record.source}\n${record.group}`);
  const sessions = [...by_name.values()].map(byTime);
  for (const group of by_group.values()) sessions.push(...continued(byTime(group)));
  return sessions.map((steps) => ({ source: steps[0]!.record.source, steps }));
}

const sessionId = (event: AgentEvent): string => event.session?.session_id ?? '';
const timeOf = ({ read }: ReadRecord): number => Date.parse(read.event.timestamp);
const earlierOf = ({ read }: ReadRecord): readonly string[] => read.event.preceding_actions ?? [];

/** A stable sort, so that steps of the same moment keep the order of the file. */
const byTime = (steps: readonly ReadRecord[]): ReadRecord[] => steps.toSorted((a, b) => timeOf(a) - timeOf(b));

/** Cuts the steps where one does not come after the one before: its earlier actions are fewer, or other ones. */
function continued(steps: readonly ReadRecord[]): ReadRecord[][] {
  const sessions: ReadRecord[][] = [];
  for (const step of steps) {
    const current = sessions.at(-1);
    if (current === undefined || !follows(step, current.at(-1)!)) sessions.push([step]);
    else current.push(step);
  }
  return sessions.map((own) => own.map((step) => inSession(step, own[0]!)));
}

function follows(step: ReadRecord, before: ReadRecord): boolean {
  const [now, then] = [earlierOf(step), [...earlierOf(before), before.read.event.action]];
  return now.length >= then.length && then.every((action, i) => now[i] === action);
}

function inSession(step: ReadRecord, first: ReadRecord): ReadRecord {
  const { event } = step.read;
  const session = { ...event.session, session_id: `session of ${first.read.event.event_id}` };
  // Without the hashes and texts of the event as it was sent: they do not name this session.
  const { scored_hash: _hash, json: _json, ...rest } = step.read;
  return { ...step, read: { ...rest, event: { ...event, session } } };
}
