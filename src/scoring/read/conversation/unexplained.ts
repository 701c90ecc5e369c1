/**
 * Messages of tools that no recorded call explains. Anyone who can put a message into the conversation can have it tell the value of an
 * action, or the record that fits it, so an event that has such messages is scored without them as well.
 */

import type { AgentEvent, Message } from '../../../events/event.ts';
import { isObject } from '../../../lang/json.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { answersById, callsIn } from './calls.ts';
import { speakerOfRole } from './transcript/transcript.ts';

/** Ways to choose which of the messages behind calls answer them: each is scored, so with more calls at once only so many are tried. */
const MAX_WAYS = 3;

/**
 * The event without the messages of tools that no call explains. Where the host gives ids, they say which call a message answers, and of
 * several with one id only the first does. Where more messages than calls follow, nothing tells which of them
 * answer, so there is one event for each place at which the surplus may have been put in. Empty where every message answers a call,
 * and where the host records no calls, so that nothing tells its messages apart.
 */
export function withoutUnexplained(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  const history = event.conversation_history ?? [];
  const surplus = (groupsOf(history, ontology) ?? []).filter(({ calls, results }) => results.length > calls);
  const { unexplained } = answersById(history);
  if (surplus.length === 0)
    return unexplained.size === 0
      ? []
      : [{ ...event, conversation_history: history.filter((_, i) => !unexplained.has(i)) }];
  const ways = Math.min(MAX_WAYS, Math.max(...surplus.map(({ calls }) => calls)) + 1);
  return Array.from({ length: ways }, (_, way) => {
    const gone = new Set(
      surplus.flatMap(({ calls, results }) => {
        const at = Math.max(0, calls - way);
        return results.slice(at, at + results.length - calls);
      }),
    );
    return { ...event, conversation_history: history.filter((_, i) => !gone.has(i) && !unexplained.has(i)) };
  });
}

/** Calls that were made together, and the messages of tools that follow, up to the next message of another. */
interface Group {
  calls: number;
  results: number[];
}

/**
 * null where no call is recorded. What precedes the agent's first word in a conversation that lacks its beginning answers calls
 * that are missing, too.
 */
function groupsOf(history: readonly Message[], ontology: Ontology): Group[] | null {
  const groups: Group[] = [{ calls: 0, results: [] }];
  let has_calls = false;
  const { answered, unexplained } = answersById(history);
  const told = new Set([...answered.values()].flat());
  for (const [i, message] of history.entries()) {
    const speaker = speakerOfRole(roleOf(message), ontology);
    const open = groups.at(-1)!;
    const answers = answersWithin(message);
    // What the host pairs by ids needs no counting.
    if (answered.has(i) || unexplained.has(i)) continue;
    if (answers > 0) open.calls = Math.max(open.results.length, open.calls - answers);
    else if (speaker === 'tool') open.results.push(i);
    else if (speaker === 'agent') {
      const made = callsIn(message, i);
      const calls = made.filter(({ id }) => !told.has(id)).length;
      has_calls ||= made.length > 0;
      if (groups.length === 1 && open.calls === 0) open.results = [];
      // Calls of several messages before their results were made together.
      if (open.results.length === 0) open.calls += calls;
      else groups.push({ calls, results: [] });
    } else groups.push({ calls: 0, results: [] });
  }
  return has_calls ? groups : null;
}

const roleOf = ({ role }: Message): string => (typeof role === 'string' ? role.trim().toLowerCase() : '');

/** How many results of tools the message holds among its parts. */
const answersWithin = ({ content }: Message): number =>
  Array.isArray(content)
    ? content.filter((part) => isObject(part) && String(part['type'] ?? '').includes('result')).length
    : 0;
