/** The conversation that a host keeps in a file of JSON lines: its beginning, where the user says what it is about, and its end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isSummary, readUserText } from './host-texts.ts';

/** Bytes that are read of a file, however long the session is. */
const HEAD = 32 * 1024;
const TAIL = 192 * 1024;
/** Parts of a message of the user that hold text. */
const TEXTS = new Set(['text', 'input_text']);

/** Bytes in which a request is sought that the beginning and the end do not hold: after the one, and before the other. */
const AFTER_HEAD = 256 * 1024;
const BEFORE_TAIL = 4 * 1024 * 1024;
const CHUNK = 256 * 1024;

/** Messages as the host wrote them, for `conversationOf`; empty when the file cannot be read. */
export function messagesIn(file: string): unknown[] {
  try {
    const handle = openSync(file, 'r');
    try {
      return messagesOf(handle, fstatSync(handle).size);
    } finally {
      closeSync(handle);
    }
  } catch {
    return [];
  }
}

/**
 * The beginning and the end. A host may begin with much text of its own, and one request may be worked on for long: where the
 * beginning has no words of the user, the first ones after it are added, and where the end has none, the last ones before it.
 */
function messagesOf(handle: number, size: number): unknown[] {
  if (size <= HEAD + TAIL) return parsed(read(handle, 0, size).split('\n'));
  const beginning = read(handle, 0, HEAD);
  const end = read(handle, size - TAIL, TAIL);
  const head = parsed(beginning.split('\n').slice(0, -1));
  const tail = withoutLoneResults(parsed(end.split('\n').slice(1)));
  // Both are whole lines: a request that the cut of the beginning or of the end goes through is found.
  const from = Buffer.byteLength(beginning.slice(0, beginning.lastIndexOf('\n') + 1));
  const until = size - TAIL + Buffer.byteLength(end.slice(0, end.indexOf('\n') + 1));
  const first = head.some(isRequest) ? null : firstRequest(handle, from, Math.min(from + AFTER_HEAD, until));
  const last = tail.some(isRequest) ? null : lastRequest(handle, Math.max(from, until - BEFORE_TAIL), until);
  const added = last === null || first?.line === last.line ? [first] : [first, last];
  return [...head, ...added.flatMap((found) => found?.messages ?? []), ...tail];
}

/** Without the results at the front, whose calls were cut off: nothing tells what they answer. */
function withoutLoneResults(messages: unknown[]): unknown[] {
  const from = messages.findIndex((message) => !isResult(message));
  return from === -1 ? [] : messages.slice(from);
}

function isResult(message: unknown): boolean {
  const { role, content } = message as { role?: unknown; content?: unknown };
  if (role === 'tool') return true;
  return (
    role === 'user' &&
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((part: { type?: string }) => part?.type === 'tool_result')
  );
}

interface Request {
  line: string;
  messages: unknown[];
}

function firstRequest(handle: number, from: number, until: number): Request | null {
  for (const line of read(handle, from, until - from).split('\n')) {
    const found = requestIn(line);
    if (found !== null) return found;
  }
  return null;
}

function lastRequest(handle: number, from: number, until: number): Request | null {
  let rest = Buffer.alloc(0);
  for (let at = until; at > from; ) {
    const start = Math.max(from, at - CHUNK);
    const bytes = Buffer.concat([bytesOf(handle, start, at - start), rest]);
    // Before the first line end there is the end of a line that begins in an earlier chunk.
    const cut = start === from ? 0 : bytes.indexOf('\n') + 1;
    const lines = start !== from && cut === 0 ? [] : bytes.toString('utf8', cut).split('\n');
    for (const line of lines.reverse()) {
      const found = requestIn(line);
      if (found !== null) return found;
    }
    rest = start !== from && cut === 0 ? bytes : bytes.subarray(0, cut);
    at = start;
  }
  return null;
}

/** Messages of a line that holds words of the user. */
function requestIn(line: string): Request | null {
  // Most lines are results, which need not be parsed.
  if (!line.includes('"user"') || line.includes('"tool_use_id"')) return null;
  const messages = parsed([line]);
  return messages.some(isRequest) ? { line, messages } : null;
}

function isRequest(message: unknown): boolean {
  const { role, content } = message as { role?: unknown; content?: unknown };
  if (role !== 'user') return false;
  if (!Array.isArray(content)) return typeof content === 'string' && content !== '';
  return content.some((part: { type?: string; text?: string }) => TEXTS.has(part?.type ?? '') && part.text !== '');
}

function parsed(lines: readonly string[]): unknown[] {
  return lines.flatMap((line) => {
    try {
      return messageIn(JSON.parse(line) as Record<string, unknown>);
    } catch {
      // Half a line, at a cut or while the host is writing.
      return [];
    }
  });
}

const read = (handle: number, from: number, length: number): string => bytesOf(handle, from, length).toString('utf8');

function bytesOf(handle: number, from: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(handle, buffer, 0, length, from));
}

/** One line of Claude Code (`message`), of Cursor (`role`, `message`) or of Codex (`payload`). */
function messageIn(line: Record<string, unknown>): unknown[] {
  // Texts that the host adds on behalf of the user are not the user's words.
  if (line['isMeta'] === true) return [];
  const { payload, message } = line as { payload?: Record<string, unknown>; message?: Record<string, unknown> };
  if (payload !== undefined) {
    // The id pairs a result with its call, of several that are made at once.
    const call_id = typeof payload['call_id'] === 'string' ? payload['call_id'] : '';
    if (String(payload['type']).endsWith('_call_output'))
      return [{ role: 'tool', content: payload['output'], ...(call_id !== '' && { tool_call_id: call_id }) }];
    if (payload['type'] === 'function_call') return [{ role: 'assistant', content: [payload] }];
    // A tool that takes a text and no JSON, such as `apply_patch`.
    if (payload['type'] === 'custom_tool_call') {
      const { name, input } = payload;
      const call = { type: 'function_call', name, arguments: { input }, ...(call_id !== '' && { call_id }) };
      return [{ role: 'assistant', content: [call] }];
    }
    if (payload['type'] !== 'message') return [];
    return payload['role'] === 'user' ? userMessages(payload['content']) : [payload];
  }
  if (message === undefined) return [];
  const role = message['role'] ?? line['role'] ?? line['type'];
  const content = message['content'];
  // The host's model wrote it, of everything that it had read.
  if (line['isCompactSummary'] === true || (role === 'user' && isSummary(content)))
    return [{ role: 'assistant', content }];
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
