/**
 * Names of servers that alone say which code a tool runs. Whoever runs the server chooses its name, so an event with such a name is also
 * scored without it: what the tool is called by itself counts as well.
 */
import { NO_HINTS, namesOf } from '../../../../effects/parameters/tool-names.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';

/** The event without the name of its server, where that name alone says that the tool runs code, or of which language; else none. */
export function withoutServer(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  if ((event.mcp_context?.server_name ?? '') === '') return [];
  const { hints } = namesOf(ontology, event);
  if (hints === NO_HINTS) return [];
  const bare = { ...event, mcp_context: { ...event.mcp_context, server_name: '' } };
  const { hints: own } = namesOf(ontology, bare);
  return JSON.stringify(hints) === JSON.stringify(own) ? [] : [bare];
}
