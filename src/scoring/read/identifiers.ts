/** Names that an attacker may write (agent, tool, server, fields, keys) and that hold prose instead of a name. */
import type { AgentEvent } from '../types.ts';
import { parametersOf } from './parameters.ts';

const MAX_NAMES = 256;
const LONGEST_NAME = 128;

/** Texts in the place of a name that read like a sentence. */
export function proseInIdentifiers(event: AgentEvent): string[] {
  const prose: string[] = [];
  const look = (name: string | undefined): void => {
    if (name !== undefined && isProse(name)) prose.push(name);
  };
  const { agent, session, mcp_context, target } = event;
  for (const name of [agent?.agent_id, agent?.agent_type, agent?.framework, agent?.model]) look(name);
  for (const name of [session?.session_id, session?.user_id]) look(name);
  for (const name of [mcp_context?.tool_name, mcp_context?.server_name, mcp_context?.server_id]) look(name);
  for (const name of [target?.resource_type, target?.resource_id]) look(name);
  for (const action of first(event.preceding_actions)) look(action);
  for (const field of first(event.data_fields_accessed)) {
    if (typeof field === 'string') look(field);
    else for (const name of [field.field, field.classification]) look(name);
  }
  for (const { key } of first(parametersOf(event).entries)) look(key);
  return prose.length < 2 ? prose : [...new Set(prose)];
}

const first = <T>(all: readonly T[] = []): readonly T[] => (all.length <= MAX_NAMES ? all : all.slice(0, MAX_NAMES));

/** Most names are this, and no prose. */
const PLAIN_NAME = /^[\w.@:/-]*$/;

/** Several words with spaces, or markup, or longer than any name. Paths, ids and addresses are none of it. */
function isProse(name: string): boolean {
  if (name.length < 12 || PLAIN_NAME.test(name)) return false;
  if (/[<>{}]|\n/.test(name) || /[^\u0000-\u024f]{4}/.test(name)) return true;
  if (name.length > LONGEST_NAME && /\s/.test(name)) return true;
  return (name.slice(0, 1_024).match(/\s\S/g)?.length ?? 0) >= 3;
}
