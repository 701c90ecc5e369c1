/** What the loop takes for a model: a function from messages to a turn, called once a step. Put your own client in here. */

export type Message =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; name: string; content: string };

export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: object;
}

/** What the model says next: text alone ends the run. */
export interface Turn {
  content: string | null;
  tool_calls: ToolCall[];
}

export type Model = (messages: readonly Message[], tools: readonly Tool[]) => Promise<Turn>;
