/** The conversation that a host keeps in a file of JSON lines: its beginning, where the user says what it is about, and its end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readUserText } from './host-texts.ts';

/** Bytes that are read of a file, however long the session is. */
const HEAD = 32 * 1024;
const TAIL = 192 * 1024;
/** Bytes between them that are searched for the user's own words, the newest ones, and how much of these is kept. */
const SEARCHED = 16 * 1024 * 1024;
const KEPT = 32 * 1024;
/** A longer line is no message that a person typed. */
const MAX_TYPED = 16 * 1024;
const SPOKEN = '"role":"user"';
/** Messages of an event, and how many of them may be older words of the user. */
const MAX_MESSAGES = 200;
const MAX_SPOKEN = 40;
/** Parts of a message of the user that hold text. */
const TEXTS = new Set(['text', 'input_text']);

/** Messages as the host wrote them, for `conversationOf`; empty when the file cannot be read. */
export function messagesIn(file: string): unknown[] {
  let lines: string[];
  try {
    lines = linesOf(file);
  } catch {
    return [];
  }
  return withinLimit(
    lines.flatMap((line) => {
      try {
        return messageIn(JSON.parse(line) as Record<string, unknown>);
      } catch {
        // Half a line, at a cut or while the host is writing.
        return [];
      }
    }),
  );
}

/** The newest messages, and what the user said before them: an event holds a limited number. */
function withinLimit(messages: unknown[]): unknown[] {
  if (messages.length <= MAX_MESSAGES) return messages;
  const newest = messages.slice(MAX_SPOKEN - MAX_MESSAGES);
  const spoken = messages.slice(0, -newest.length).filter((message) => {
    const { role, content } = message as { role?: unknown; content?: unknown };
    return (
      role === 'user' &&
      (typeof content === 'string' ? content !== '' : !JSON.stringify(content).includes('tool_result'))
    );
  });
  return [...spoken.slice(-MAX_SPOKEN), ...newest];
}

function linesOf(file: string): string[] {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size <= HEAD + TAIL) return read(handle, 0, size).split('\n');
    return [
      ...read(handle, 0, HEAD).split('\n').slice(0, -1),
      ...spokenLines(handle, HEAD, size - TAIL),
      ...read(handle, size - TAIL, TAIL)
        .split('\n')
        .slice(1),
    ];
  } finally {
    closeSync(handle);
  }
}

/**
 * Lines between two places in which the user speaks, the newest ones: what was agreed on in the middle of a long session is still the
 * user's word. Results of tools stand in messages of the user, too, and are left out.
 */
function spokenLines(handle: number, from: number, to: number): string[] {
  const start = Math.max(from, to - SEARCHED);
  const bytes = Buffer.alloc(to - start);
  readSync(handle, bytes, 0, bytes.length, start);
  const lines: string[] = [];
  let left = KEPT;
  for (let at = bytes.lastIndexOf(SPOKEN); at > 0 && left > 0; ) {
    const begin = bytes.lastIndexOf(10, at) + 1;
    const end = bytes.indexOf(10, at);
    // The line at either border is a part of one that was read, or is cut.
    if (end > 0 && begin > 0 && end - begin <= MAX_TYPED) {
      const line = bytes.toString('utf8', begin, end);
      if (!RESULTS.test(line)) {
        lines.push(line);
        left -= line.length;
      }
    }
    at = begin > 1 ? bytes.lastIndexOf(SPOKEN, begin - 2) : -1;
  }
  return lines.reverse();
}

/** Marks of a line that holds a result, or a text of the host. */
const RESULTS = /"type":\s?"tool_result"|"isMeta":\s?true|"isSidechain":\s?true/;

function read(handle: number, from: number, length: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString('utf8', 0, readSync(handle, buffer, 0, length, from));
}

/** One line of Claude Code (`message`), of Cursor (`role`, `message`) or of Codex (`payload`). */
function messageIn(line: Record<string, unknown>): unknown[] {
  // Texts that the host adds on behalf of the user are not the user's words.
  if (line['isMeta'] === true) return [];
  const { payload, message } = line as { payload?: Record<string, unknown>; message?: Record<string, unknown> };
  if (payload !== undefined) {
    if (String(payload['type']).endsWith('_call_output')) return [{ role: 'tool', content: payload['output'] }];
    if (payload['type'] === 'function_call') return [{ role: 'assistant', content: [payload] }];
    // A tool that takes a text and no JSON, such as `apply_patch`.
    if (payload['type'] === 'custom_tool_call') {
      const { name, input } = payload;
      return [{ role: 'assistant', content: [{ type: 'function_call', name, arguments: { input } }] }];
    }
    if (payload['type'] !== 'message') return [];
    return payload['role'] === 'user' ? userMessages(payload['content']) : [payload];
  }
  if (message === undefined) return [];
  const role = message['role'] ?? line['role'] ?? line['type'];
  const content = message['content'];
  // The host's model wrote it, of everything that it had read.
  if (line['isCompactSummary'] === true) return [{ role: 'assistant', content }];
  return role === 'user' ? userMessages(content) : [{ role, content }];
}

/** A message of the user without what the host put between the words, and its outputs as results. */
function userMessages(content: unknown): unknown[] {
  const outputs: string[] = [];
  const said = (text: string): string => {
    const read = readUserText(text);
    outputs.push(...read.results);
    return read.said;
  };
  const own = Array.isArray(content)
    ? content.map((part: { type?: string; text?: string }) =>
        TEXTS.has(part?.type ?? '') ? { ...part, text: said(part.text ?? '') } : part,
      )
    : typeof content === 'string'
      ? said(content)
      : content;
  return [...outputs.map((output) => ({ role: 'tool', content: output })), { role: 'user', content: own }];
}
