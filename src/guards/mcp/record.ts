/**
 * What a proxy knows of a session: the user's words where the host gives them, which tools were called with what, and what came
 * back. A call that does what an earlier result said is what an injected instruction looks like.
 */
import { type Conversation, conversationOf } from '../../../clients/typescript/src/conversation.ts';
import { isObject } from './peer.ts';

export interface SessionRecord {
  /** Actions that were passed on, oldest first. */
  readonly preceding: readonly string[];
  /** The user's words, as the host gave them; the same words twice are one message. */
  asked(words: string): void;
  /** A call that went to a server. How far its result is trusted follows from the names of server and tool. */
  called(server: string, tool: string, args: object, action: string): void;
  /** A result, a resource, a prompt or a request for sampling: text that the model reads. */
  answered(result: unknown): void;
  /** The newest messages that fit into `room` bytes. */
  conversation(room: number): Conversation;
}

type Message = { role: 'user' | 'tool'; content: string } | { role: 'assistant'; content: readonly object[] };

/** As many as `conversationOf` keeps. */
const MAX_MESSAGES = 200;
const MAX_ACTIONS = 100;
/** Characters of one message; of a longer one its beginning and its end are kept. */
const MAX_CONTENT = 50_000;
/** Members whose text is not text for the model: images, sounds, kinds. */
const NO_TEXT = new Set(['data', 'blob', 'type', 'mimeType', '_meta']);

export function createRecord(): SessionRecord {
  let messages: Message[] = [];
  let preceding: string[] = [];
  let words = '';
  const add = (message: Message): void => {
    messages = [...messages, message].slice(-MAX_MESSAGES);
  };
  return {
    get preceding() {
      return preceding;
    },
    asked(said) {
      if (said !== words) add({ role: 'user', content: cut(said) });
      words = said;
    },
    called(server, tool, args, action) {
      preceding = [...preceding, action].slice(-MAX_ACTIONS);
      const input = byteLength(args) > MAX_CONTENT ? { arguments: cut(JSON.stringify(args)) } : args;
      add({ role: 'assistant', content: [{ type: 'tool_use', name: `mcp__${server}__${tool}`, input }] });
    },
    answered(result) {
      const content = textIn(result);
      if (content !== '') add({ role: 'tool', content });
    },
    conversation(room) {
      const asked = words === '' ? {} : { user_context: cut(words) };
      return { ...asked, ...conversationOf(newest(messages, room - byteLength(asked))), ...asked };
    },
  };
}

export const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function newest(messages: readonly Message[], room: number): Message[] {
  let left = room;
  const kept: Message[] = [];
  for (const message of messages.toReversed()) {
    left -= byteLength(message) + 64;
    if (left < 0) break;
    kept.unshift(message);
  }
  return kept;
}

/** Every text in a result, wherever the server put it; structured content says the same again as text, and is kept once. */
function textIn(result: unknown): string {
  const texts = new Set<string>();
  let length = 0;
  const collect = (value: unknown): void => {
    if (length > MAX_CONTENT * 4) return;
    if (typeof value === 'string') {
      texts.add(cut(value));
      length += value.length;
    } else if (Array.isArray(value)) value.forEach(collect);
    else if (isObject(value)) for (const [name, inner] of Object.entries(value)) if (!NO_TEXT.has(name)) collect(inner);
  };
  collect(result);
  return cut([...texts].join('\n'));
}

const cut = (text: string): string =>
  text.length <= MAX_CONTENT ? text : `${text.slice(0, MAX_CONTENT / 2)}\n…\n${text.slice(-MAX_CONTENT / 2)}`;
