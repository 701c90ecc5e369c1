/** The messages of an agent framework as an event's `user_context` and `conversation_history`. */

/** A message as AI SDK, OpenAI, Anthropic or LangChain writes it. */
export interface AnyMessage {
  role?: unknown;
  /** LangChain's name for the role. */
  type?: unknown;
  content?: unknown;
}

export interface Conversation {
  user_context?: string;
  conversation_history?: { role: string; content: string }[];
}

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', function: 'tool' };
/** Keys of message parts below which text stands. */
const TEXT_KEYS = [
  'text',
  'content',
  'output',
  'value',
  'result',
  'input',
  'args',
  'input_text',
  'output_text',
] as const;
const MAX_MESSAGES = 200;
const MAX_TEXT = 50_000;

/**
 * Results of tools keep the role `tool`: what stands in them is not the user's word. A part that is no text (an image) is left
 * out. The newest messages are kept, and of a long text its beginning and its end.
 */
export function conversationOf(messages: readonly unknown[]): Conversation {
  const history = messages.slice(-MAX_MESSAGES).flatMap((message) => partsOf(message as AnyMessage));
  const user = history.findLast(({ role }) => role === 'user');
  return {
    ...(user !== undefined && { user_context: user.content }),
    ...(history.length > 0 && { conversation_history: history }),
  };
}

function partsOf({ role, type, content }: AnyMessage): { role: string; content: string }[] {
  const said = String(role ?? type ?? 'unknown');
  const usual = ROLES[said] ?? said;
  const parts = Array.isArray(content) ? content : [content];
  const told: { role: string; content: string }[] = [];
  for (const part of parts) {
    const kind = String((part as { type?: unknown } | null)?.type ?? '');
    const text = cut(textOf(part));
    // Anthropic puts the results of tools into messages of the user.
    if (text !== '') told.push({ role: /tool.result/.test(kind) ? 'tool' : usual, content: text });
  }
  return told;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const found = TEXT_KEYS.map((key) => (value as Record<string, unknown>)[key]).find((inner) => inner !== undefined);
  if (found === undefined || typeof found === 'string' || Array.isArray(found)) return textOf(found);
  const inner = textOf(found);
  return inner === '' ? JSON.stringify(found) : inner;
}

const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n…\n${text.slice(-MAX_TEXT / 2)}`;
