/** The conversation that a host keeps in a file of JSON lines: its beginning, where the user says what it is about, and its end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readUserText } from './host-texts.ts';

/** Bytes that are read of a file, however long the session is. */
const HEAD = 32 * 1024;
const TAIL = 192 * 1024;
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
  return lines.flatMap((line) => {
    try {
      return messageIn(JSON.parse(line) as Record<string, unknown>);
    } catch {
      // Half a line, at a cut or while the host is writing.
      return [];
    }
  });
}

function linesOf(file: string): string[] {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size <= HEAD + TAIL) return read(handle, 0, size).split('\n');
    return [
      ...read(handle, 0, HEAD).split('\n').slice(0, -1),
      ...read(handle, size - TAIL, TAIL)
        .split('\n')
        .slice(1),
    ];
  } finally {
    closeSync(handle);
  }
}

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
