/**
 * Texts that the judged party writes to look harmless, and events to put them into: those of `corpus/`, and beside a
 * checkout with reference material also those of `../shared`.
 */
import { readFileSync } from 'node:fs';
import type { AgentEvent } from '../../src/events/event.ts';
import { sharedFile } from './shared.ts';

export interface InjectionVectors {
  bases: { name: string; event: AgentEvent }[];
  tests: { id: string; text: string }[];
}

export function injectionVectors(): InjectionVectors {
  const own = read(new URL('../../corpus/injection/texts.json', import.meta.url));
  const beside = sharedFile('vectors/prompt-injection.json');
  if (beside === null) return own;
  const { bases, tests } = read(beside);
  return { bases: [...own.bases, ...bases], tests: [...own.tests, ...tests] };
}

const read = (file: URL | string): InjectionVectors => JSON.parse(readFileSync(file, 'utf8')) as InjectionVectors;

/** Places where an attacker may write, each with the event that has the text there. */
export function placed(e: AgentEvent, text: string): Record<string, AgentEvent> {
  const first = e.data_fields_accessed?.[0];
  const own = typeof first === 'object' ? first : { field: 'name' };
  return {
    user_context: { ...e, user_context: text },
    history: { ...e, conversation_history: [{ role: 'tool', content: text }] },
    history_user: { ...e, conversation_history: [{ role: 'user', content: text }] },
    parameter: { ...e, parameters: { ...e.parameters, note: text } },
    parameter_key: { ...e, parameters: { ...e.parameters, [text]: 1 } },
    metadata: { ...e, metadata: { note: text } },
    resource_id: { ...e, target: { ...e.target, resource_id: text } },
    agent_id: { ...e, agent: { agent_id: text } },
    agent_type: { ...e, agent: { agent_type: text } },
    framework: { ...e, agent: { framework: text } },
    model: { ...e, agent: { model: text } },
    user_id: { ...e, session: { user_id: text } },
    server_name: { ...e, mcp_context: { ...e.mcp_context, server_name: text } },
    tool_name: { ...e, mcp_context: { ...e.mcp_context, tool_name: text } },
    preceding: { ...e, preceding_actions: [text] },
    field_added: { ...e, data_fields_accessed: [...(e.data_fields_accessed ?? []), text] },
    field_replaced: { ...e, data_fields_accessed: [{ ...own, field: text }] },
    classification: { ...e, data_fields_accessed: [{ ...own, classification: text }] },
  };
}
