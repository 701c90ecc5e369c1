/** The conversation that a host keeps in a file of JSON lines: its beginning, where the user says what it is about, and its end. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that are read of a file, however long the session is. */
const HEAD = 32 * 1024;
const TAIL = 192 * 1024;

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
    return payload['type'] === 'message' ? [payload] : [];
  }
  if (message === undefined) return [];
  return [{ role: message['role'] ?? line['role'] ?? line['type'], content: withoutReminders(message['content']) }];
}

function withoutReminders(content: unknown): unknown {
  if (typeof content === 'string') return cleared(content);
  if (!Array.isArray(content)) return content;
  return content.map((part: { type?: string; text?: string }) =>
    part?.type === 'text' ? { ...part, text: cleared(part.text ?? '') } : part,
  );
}

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';

/** Without what the host put between the user's words. One that is not closed stays. */
function cleared(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, from)) {
    const close = text.indexOf(CLOSE, open);
    if (close === -1) break;
    kept.push(text.slice(from, open));
    from = close + CLOSE.length;
  }
  return (kept.join('') + text.slice(from)).trim();
}
