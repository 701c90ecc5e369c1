/** The messages of an agent framework as an event's `user_context` and `conversation_history`. */

/** A message as AI SDK, OpenAI, Anthropic or LangChain writes it. */
interface AnyMessage {
  role?: unknown;
  /** LangChain's name for the role. */
  type?: unknown;
  content?: unknown;
  tool_calls?: unknown;
}

export type Said = {
  role: string;
  content: string;
  /** What the agent called in this message. How far a result is trusted follows from the call that brought it. */
  tool_calls?: { name: string; arguments: unknown }[];
};

export interface Conversation {
  user_context?: string;
  conversation_history?: Said[];
}

type Part = Readonly<Record<string, unknown>>;

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['function', 'tool'],
]);
/** Keys of message parts below which text stands. */
const TEXT_KEYS = ['text', 'content', 'output', 'value', 'result', 'input_text', 'output_text'] as const;
const MAX_MESSAGES = 200;
const MAX_TEXT = 50_000;

/**
 * Results of tools become messages of the role `tool`: what stands in them is not the user's word. A part that is no text (an
 * image) is left out. The newest messages are kept, and of a long text its beginning and its end.
 */
export function conversationOf(messages: readonly unknown[]): Conversation {
  const history = messages.slice(-MAX_MESSAGES).flatMap((message) => saidIn(message as AnyMessage));
  const user = history.findLast(({ role }) => role === 'user');
  return {
    ...(user !== undefined && { user_context: user.content }),
    ...(history.length > 0 && { conversation_history: history }),
  };
}

function saidIn(message: AnyMessage): Said[] {
  const { role, type, content, tool_calls } = message;
  // Items of OpenAI's Responses are calls and results themselves.
  const is_item = isCall(message) || isResult(message);
  const who = String(role ?? (is_item ? 'assistant' : type) ?? 'unknown');
  const parts: unknown[] = is_item ? [message] : Array.isArray(content) ? content : [content];
  // Anthropic puts the results of tools into messages of the user.
  const results = parts.filter(isResult);
  const calls = [...parts.filter(isCall), ...(Array.isArray(tool_calls) ? tool_calls : [])].map(callOf);
  const texts = parts.filter((part) => !results.includes(part) && !isCall(part)).map(textOf);
  const text = cut(texts.filter((one) => one !== '').join('\n'));
  return [
    ...results.map((part) => ({ role: 'tool', content: cut(textOf(part)) })),
    ...(text !== '' || calls.length > 0
      ? [{ role: ROLES.get(who) ?? who, content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
      : []),
  ];
}

const kindOf = (part: unknown): string => String((part as Part | null)?.['type'] ?? '');
const isCall = (part: unknown): part is Part => /^(?:tool.use|tool.call|function_call)$/.test(kindOf(part));

const isResult = (part: unknown): boolean => /tool.result|^function_call_(?:result|output)$/.test(kindOf(part));

function callOf(call: Part): { name: string; arguments: unknown } {
  const inner = (call['function'] ?? call) as Part;
  const name = String(inner['name'] ?? inner['toolName'] ?? '');
  return { name, arguments: inner['input'] ?? inner['args'] ?? inner['arguments'] ?? {} };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const found = TEXT_KEYS.map((key) => (value as Part)[key]).find((inner) => inner !== undefined && inner !== null);
  const text = textOf(found);
  return text === '' && typeof found === 'object' && found !== null ? JSON.stringify(found) : text;
}

const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n…\n${text.slice(-MAX_TEXT / 2)}`;
