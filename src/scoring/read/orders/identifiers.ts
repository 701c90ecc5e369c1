/** Finds prose in fields for names (agent, tool, server, fields, keys), which an attacker may write. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { distinct } from '../../../lang/in-order.ts';

const MAX_NAMES = 256;
const LONGEST_NAME = 128;

/** The texts in fields for names that read like a sentence. */
export function proseInIdentifiers(event: AgentEvent): string[] {
  const prose: string[] = [];
  const { agent, session, mcp_context, target } = event;
  if (agent !== undefined) {
    look(agent.agent_id, prose);
    look(agent.agent_type, prose);
    look(agent.framework, prose);
    look(agent.model, prose);
  }
  look(session?.session_id, prose);
  look(session?.user_id, prose);
  look(mcp_context?.tool_name, prose);
  look(mcp_context?.server_name, prose);
  look(mcp_context?.server_id, prose);
  look(target?.resource_type, prose);
  look(target?.resource_id, prose);
  for (const action of first(event.preceding_actions)) look(action, prose);
  for (const field of first(event.data_fields_accessed)) {
    look(typeof field === 'string' ? field : field.field, prose);
    if (typeof field !== 'string') look(field.classification, prose);
  }
  for (const { key } of first(parametersOf(event).entries)) look(key, prose);
  return distinct(prose);
}

function look(name: string | undefined, prose: string[]): void {
  if (name !== undefined && isProse(name)) prose.push(name);
}

const NONE: readonly never[] = [];
const first = <T>(all: readonly T[] = NONE): readonly T[] => (all.length <= MAX_NAMES ? all : all.slice(0, MAX_NAMES));

/** Most names match this and are no prose. */
const PLAIN_NAME = /^[\w.@:/-]*$/;

/** Whether a name has several words with spaces, or markup, or is longer than any name. Paths, ids and addresses do not match. */
function isProse(name: string): boolean {
  if (name.length < 12 || PLAIN_NAME.test(name)) return false;
  if (/[<>{}]|\n/.test(name) || /[^\u0000-\u024f]{4}/.test(name)) return true;
  if (name.length > LONGEST_NAME && /\s/.test(name)) return true;
  return (name.slice(0, 1_024).match(/\s\S/g)?.length ?? 0) >= 3;
}
