/** A change of an event that keeps its meaning: who reads both must judge both alike. */
import type { Json, JsonObject } from '../../../src/lang/json.ts';
import type { Ontology } from '../../../src/ontology/index.ts';

/** An event as it is sent. */
export type Sent = JsonObject;

export interface Change {
  name: string;
  /** What it does, as a clause. */
  about: string;
  /** `verdict`: high stays high. `score`: the score itself stays, because only the host differs. */
  keeps: 'verdict' | 'score';
  /** A changed copy, or `null` where the event has nothing that this changes. */
  apply: (event: Sent, ontology: Ontology) => Sent | null;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const partOf = (event: Sent, name: string): JsonObject => {
  const part = event[name];
  return isObject(part) ? part : {};
};

export const toolName = (event: Sent): string => textOf(partOf(event, 'mcp_context')['tool_name']);

/** The event with the text of some messages changed; `null` when no text differs. */
export function withMessages(event: Sent, role: string, change: (text: string) => string): Sent | null {
  const messages = event['conversation_history'];
  if (!Array.isArray(messages)) return null;
  let is_changed = false;
  const changed = messages.map((message): Json => {
    if (!isObject(message) || message['role'] !== role || typeof message['content'] !== 'string') return message;
    const content = change(message['content']);
    if (content === message['content']) return message;
    is_changed = true;
    return { ...message, content };
  });
  return is_changed ? { ...event, conversation_history: changed } : null;
}

/** The event with the texts of its tool results changed. */
export const withToolTexts = (event: Sent, change: (text: string) => string): Sent | null =>
  withMessages(event, 'tool', change);

/** The event with the user's texts changed: `user_context` and the messages of the user. */
export function withUserTexts(event: Sent, change: (text: string) => string): Sent | null {
  const context = textOf(event['user_context']);
  const changed = change(context);
  const messages = withMessages(event, 'user', change);
  if (changed === context) return messages;
  return { ...(messages ?? event), user_context: changed };
}
