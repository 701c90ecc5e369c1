/**
 * What a proxy can know of the conversation: which tools were called with what, and what came back. The user's words it
 * cannot know. What came back is what matters most: a call that says what an earlier answer said is what an injected
 * instruction looks like.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export type HistoryMessage = { role: 'assistant' | 'tool'; name?: string; content: string };

export interface Conversation {
  /** A call that went to the server. */
  called(name: string, args: object): void;
  /** Something that the server answered, and that the model will read. */
  answered(source: string, message: JSONRPCMessage): void;
  /** Oldest first, no more than `room` bytes of it. */
  history(room: number): HistoryMessage[];
}

/** As many as an event may have. */
const MAX_MESSAGES = 1_000;
/** Characters of one message; of a longer one its begin and its end are kept. */
const MAX_CONTENT = 200_000;

export function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function createConversation(): Conversation {
  let messages: HistoryMessage[] = [];
  const add = (message: HistoryMessage): void => {
    messages = [...messages, { ...message, content: cut(message.content) }].slice(-MAX_MESSAGES);
  };
  return {
    called: (name, args) => add({ role: 'assistant', content: `${name}(${JSON.stringify(args)})` }),
    answered(source, message) {
      const content = textOf(message);
      if (content !== '') add({ role: 'tool', name: source, content });
    },
    history(room) {
      let left = room;
      const kept: HistoryMessage[] = [];
      for (const message of messages.toReversed()) {
        left -= byteLength(message) + 1;
        if (left < 0) break;
        kept.unshift(message);
      }
      return kept;
    },
  };
}

function cut(text: string): string {
  if (text.length <= MAX_CONTENT) return text;
  return `${text.slice(0, MAX_CONTENT / 2)}\n…\n${text.slice(-MAX_CONTENT / 2)}`;
}

/** Every text in an answer, wherever the server put it: the model may read all of it. */
function textOf(message: JSONRPCMessage): string {
  const texts: string[] = [];
  const collect = (value: unknown, key: string): void => {
    // Images and sounds.
    if (key === 'data' || key === 'blob') return;
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value))
        if (name !== 'type' && name !== 'mimeType') collect(inner, name);
    }
  };
  if ('result' in message) collect(message.result, '');
  if ('error' in message) collect(message.error.message, '');
  // Structured content says the same again as text.
  return [...new Set(texts)].join('\n');
}
