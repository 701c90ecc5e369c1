/** Names that an attacker may write (agent, tool, server, fields, keys) and that hold prose instead of a name. */
import type { AgentEvent } from '../types.ts';
import { parametersOf } from './parameters.ts';

const MAX_NAMES = 256;
const LONGEST_NAME = 128;

/** Texts in the place of a name that read like a sentence. */
export function proseInIdentifiers(event: AgentEvent): string[] {
  const names: (string | undefined)[] = [
    event.agent?.agent_id,
    event.agent?.agent_type,
    event.agent?.framework,
    event.agent?.model,
    event.session?.session_id,
    event.session?.user_id,
    event.mcp_context?.tool_name,
    event.mcp_context?.server_name,
    event.mcp_context?.server_id,
    event.target?.resource_type,
    event.target?.resource_id,
  ];
  for (const action of (event.preceding_actions ?? []).slice(0, MAX_NAMES)) names.push(action);
  for (const field of (event.data_fields_accessed ?? []).slice(0, MAX_NAMES)) {
    if (typeof field === 'string') names.push(field);
    else names.push(field.field, field.classification);
  }
  for (const { key } of parametersOf(event).entries.slice(0, MAX_NAMES)) names.push(key);
  const prose = names.filter((name): name is string => name !== undefined && isProse(name));
  return prose.length < 2 ? prose : [...new Set(prose)];
}

/** Most names are this, and no prose. */
const PLAIN_NAME = /^[\w.@:/-]*$/;

/** Several words with spaces, or markup, or longer than any name. Paths, ids and addresses are none of it. */
function isProse(name: string): boolean {
  if (name.length < 12 || PLAIN_NAME.test(name)) return false;
  if (/[<>{}]|\n/.test(name) || /[^\u0000-\u024f]{4}/.test(name)) return true;
  if (name.length > LONGEST_NAME && /\s/.test(name)) return true;
  return (name.slice(0, 1_024).match(/\s\S/g)?.length ?? 0) >= 3;
}
