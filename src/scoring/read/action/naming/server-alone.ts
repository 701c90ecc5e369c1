/**
 * Names of servers that alone say which code a tool runs. Whoever runs the server chooses its name, so an event with such a name is also
 * scored without it, and without each word of it that changes this: what the tool is called by itself counts as well.
 */
import { NO_HINTS, namesOf } from '../../../../effects/parameters/tool-names.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';

/** Words of a name that are left out in turn. */
const MOST_WORDS = 8;

/**
 * The event without the name of its server, and with the name without one of its words, where that says otherwise whether the tool runs
 * code, or of which language; one event for each way in which it says so.
 */
export function withoutServer(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  const server = event.mcp_context?.server_name ?? '';
  if (server === '') return [];
  const { hints } = namesOf(ontology, event);
  if (hints === NO_HINTS) return [];
  const seen = new Set([JSON.stringify(hints)]);
  const words = server.split(/(?<=[\W_])|(?=[\W_])/);
  const shorter = words.length > MOST_WORDS ? [] : words.map((_, i) => words.filter((_, j) => j !== i).join(''));
  // What is left of the name says what it said before; without any name the event is another one.
  return [...shorter, ''].flatMap((server_name) => {
    const renamed = { ...event, mcp_context: { ...event.mcp_context, server_name } };
    const told = JSON.stringify(namesOf(ontology, renamed).hints);
    if (seen.has(told)) return [];
    seen.add(told);
    return [renamed];
  });
}
