/**
 * What an event is: the nouns of one action of an agent. Types alone, so that the pure core may read them. Data keeps the
 * wire's snake_case, so nothing is renamed on its way from the door to the database.
 */
import type { Json, JsonObject } from '../lang/json.ts';

export interface Agent {
  agent_id?: string;
  agent_type?: string;
  framework?: string;
  model?: string;
}

export interface Session {
  session_id?: string;
  /** The person who started or oversees the session. */
  user_id?: string;
  started_at?: string;
}

export interface Target {
  resource_type?: string;
  resource_id?: string;
  /** 0 public to 4 critical, as declared by the host: a claim, which may raise a score and never lower it. */
  sensitivity_level?: number;
}

export interface McpContext {
  server_name?: string;
  server_id?: string;
  transport?: 'stdio' | 'sse' | 'http' | 'streamable-http';
  is_verified?: boolean;
  tool_name?: string;
  /** Text that the tool server wrote: it may steer the agent, so orders in it are findings. */
  tool_description?: string;
}

export type DataField = string | { field: string; classification?: string };

export interface Message {
  role?: string;
  content?: Json;
  [key: string]: Json | undefined;
}

/** Fields of older clients whose values differ from the fields that replaced them; the door compares them. */
export interface LegacyFields {
  /** → mcp_context.tool_name */
  tool_name?: string;
  /** → parameters; a text is the one parameter `tool_input`. */
  tool_input?: string | JsonObject;
  /** → target.resource_id */
  resource?: string;
  /** → session.user_id */
  user_id?: string;
  /** → data_fields_accessed */
  legacy_data_fields?: string[];
}

/**
 * One action of an agent, as accepted at a door: validated, `action` lower-cased, identifiers clean, control
 * characters in free text escaped visibly. Unknown fields are kept beside the known ones.
 */
export interface AgentEvent {
  event_id: string;
  /** `domain:scope:verb`, lower case. */
  action: string;
  /** ISO 8601, when the action takes place. */
  timestamp: string;
  agent?: Agent;
  session?: Session;
  target?: Target;
  parameters?: JsonObject;
  mcp_context?: McpContext;
  data_fields_accessed?: DataField[];
  /** Earlier actions of the session, oldest first: a claim. */
  preceding_actions?: string[];
  user_context?: string;
  conversation_history?: Message[];
  /** Stored with the event, never read by scoring. */
  metadata?: JsonObject;
  /** Contradicts fields above, so the event is read both ways (`legacy.ts`). */
  legacy?: LegacyFields;
}

/** Fields of an event, all of them: the type says so. Any other field of an event is stored and not read. */
const FIELDS: { [Name in keyof Required<AgentEvent>]: true } = {
  event_id: true,
  action: true,
  timestamp: true,
  agent: true,
  session: true,
  target: true,
  parameters: true,
  mcp_context: true,
  data_fields_accessed: true,
  preceding_actions: true,
  user_context: true,
  conversation_history: true,
  metadata: true,
  legacy: true,
};

/** Names of the fields of an event that nothing reads, sorted. */
export function unreadFields(event: AgentEvent): string[] {
  return Object.keys(event)
    .filter((name) => !Object.hasOwn(FIELDS, name))
    .sort();
}
