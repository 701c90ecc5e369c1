/**
 * Names of servers that alone say which code a tool runs. The operator of a server chooses its name, so such an event is also scored without
 * the name, or without the one word in it that changes the shell in which the code is read.
 */
import { type Hints, NO_HINTS, namesOf } from '../../../../effects/parameters/tool-names.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { snakeCase, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';

/** Words of a name that are left out in turn. */
const MOST_WORDS = 8;

/** The event without the name of its server, or without one word of it, where this changes whether or how code is read; else none. */
export function withoutServer(event: AgentEvent, ontology: Ontology): AgentEvent[] {
  const server = event.mcp_context?.server_name ?? '';
  if (server === '') return [];
  const { hints } = namesOf(ontology, event);
  if (hints === NO_HINTS) return [];
  const bare = { ...event, mcp_context: { ...event.mcp_context, server_name: '' } };
  if (JSON.stringify(hints) !== JSON.stringify(namesOf(ontology, bare).hints)) return [bare];
  const words = server.split(/[\W_]/).filter((word) => word !== '');
  if (words.length < 2 || words.length > MOST_WORDS) return [];
  for (const left_out of words) {
    const shorter = called(event, server, words.filter((word) => word !== left_out).join('_'));
    if (shellOf(namesOf(ontology, shorter).hints) !== shellOf(hints)) return [shorter];
  }
  return [];
}

/** The event with another name of its server, which the action may have as well. */
function called(event: AgentEvent, server: string, name: string): AgentEvent {
  const action = event.action
    .split(':')
    .map((part) => (wordsOf(part).join() === wordsOf(server).join() ? snakeCase(name) : part))
    .join(':');
  return { ...event, action, mcp_context: { ...event.mcp_context, server_name: name } };
}

const shellOf = ({ shell, dialect }: Hints): string => (shell ? dialect : '');
