/** The messages of an agent framework as an event's `user_context` and `conversation_history`. */

/** A message as AI SDK, OpenAI, Anthropic or LangChain writes it. */
interface AnyMessage {
  role?: unknown;
  /** LangChain's name for the role. */
  type?: unknown;
  content?: unknown;
  tool_calls?: unknown;
  tool_call_id?: unknown;
}

export type Said = {
  role: string;
  content: string;
  /** What the agent called in this message. How far a result is trusted follows from the call that brought it. */
  tool_calls?: { name: string; arguments: unknown; id?: string }[];
  /** The id of the call that this result answers, where the framework gives one. */
  tool_call_id?: string;
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
 * Results of tools become messages of the role `tool`: what stands in them is not the user's word. A part that is not text (an
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
  const is_item = kindOf(message) !== 'other';
  const who = String(role ?? (is_item ? 'assistant' : type) ?? 'unknown');
  const parts: unknown[] = is_item ? [message] : Array.isArray(content) ? content : [content];
  // Anthropic puts the results of tools into messages of the user.
  const results: Said[] = [];
  const calls: ReturnType<typeof callOf>[] = [];
  const texts: string[] = [];
  // One loop and no more: a hook reads a whole session before any of this has been compiled.
  for (const part of parts) {
    const kind = kindOf(part);
    if (kind === 'call') calls.push(callOf(part as Part));
    else if (kind === 'result') results.push({ role: 'tool', content: cut(textOf(part)), ...answerOf(part as Part) });
    else {
      const text = textOf(part);
      if (text !== '') texts.push(text);
    }
  }
  if (Array.isArray(tool_calls)) for (const call of tool_calls) calls.push(callOf(call as Part));
  const content_text = cut(texts.join('\n'));
  if (content_text === '' && calls.length === 0) return results;
  const said: Said = {
    role: ROLES.get(who) ?? who,
    content: content_text,
    ...(is_item ? {} : answerOf(message as Part)),
  };
  if (calls.length > 0) said.tool_calls = calls;
  results.push(said);
  return results;
}

const CALL = /^(?:tool.use|tool.call|function_call)$/;
const RESULT = /tool.result|^function_call_(?:result|output)$/;

/** What a part of a message is, or a message itself, by its `type`. */
function kindOf(part: unknown): 'call' | 'result' | 'other' {
  const type = String((part as Part | null | undefined)?.['type'] ?? '');
  if (type === '' || type === 'text') return 'other';
  return CALL.test(type) ? 'call' : RESULT.test(type) ? 'result' : 'other';
}

/** Names under which frameworks write the id of a call, at the call and at its result. */
const CALL_IDS = ['toolCallId', 'call_id', 'id'] as const;
const ANSWERED_IDS = ['tool_call_id', 'tool_use_id', 'toolCallId', 'call_id', 'callId'] as const;

function idIn(part: Part, keys: readonly string[]): string {
  const key = keys.find((key) => typeof part[key] === 'string' && part[key] !== '');
  return key === undefined ? '' : String(part[key]);
}

function answerOf(part: Part): { tool_call_id?: string } {
  const id = idIn(part, ANSWERED_IDS);
  return id === '' ? {} : { tool_call_id: id };
}

function callOf(call: Part): { name: string; arguments: unknown; id?: string } {
  const inner = (call['function'] ?? call) as Part;
  const name = String(inner['name'] ?? inner['toolName'] ?? '');
  const id = idIn(call, CALL_IDS);
  return { name, arguments: inner['input'] ?? inner['args'] ?? inner['arguments'] ?? {}, ...(id !== '' && { id }) };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const key = TEXT_KEYS.find((key) => ((value as Part)[key] ?? null) !== null);
  const found = key === undefined ? undefined : (value as Part)[key];
  const text = textOf(found);
  return text === '' && typeof found === 'object' && found !== null ? JSON.stringify(found) : text;
}

const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n…\n${text.slice(-MAX_TEXT / 2)}`;
