import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { conversationOf, type Said } from '../../../clients/typescript/src/conversation.ts';
import { messagesIn } from './transcript.ts';

function saidIn(lines: readonly object[]): Said[] {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-'));
  try {
    const file = join(folder, 'session.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return conversationOf(messagesIn(file)).conversation_history ?? [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const KB = 1024;
const ownText = (length: number) => ({ payload: { type: 'message', role: 'developer', content: 'x'.repeat(length) } });
const user = (text: string) => ({
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
const call = (call_id: string) => ({ payload: { type: 'function_call', name: 'shell', arguments: '{}', call_id } });
const result = (call_id: string, length: number) => ({
  payload: { type: 'function_call_output', call_id, output: 'y'.repeat(length) },
});
const work = (steps: number) =>
  Array.from({ length: steps }, (_, i) => [call(`c${i}`), result(`c${i}`, 20 * KB)]).flat();
const wordsOfUser = (said: readonly Said[]): string[] =>
  said.filter(({ role }) => role === 'user').map(({ content }) => content);

test('the first request is found behind much text of the host', () => {
  const lines = [ownText(60 * KB), user('<environment_context>a</environment_context>'), user('Tidy up.'), ...work(30)];
  assert.deepEqual(wordsOfUser(saidIn(lines)), ['Tidy up.']);
});

test('the newest request is found before the end, and one that stands in both places comes once', () => {
  const lines = [user('Tidy up.'), ...work(30), user('Now the tests: ä ö ü.'), ...work(30)];
  assert.deepEqual(wordsOfUser(saidIn(lines)), ['Tidy up.', 'Now the tests: ä ö ü.']);
  assert.deepEqual(wordsOfUser(saidIn([user('Tidy up.'), ...work(60)])), ['Tidy up.']);
});

test('a request at either cut is whole', () => {
  const long = `Tidy up ${'ü'.repeat(20 * KB)}.`;
  for (const before of [0, 20 * KB, 31 * KB])
    assert.deepEqual(wordsOfUser(saidIn([ownText(before), user(long), ...work(30)])), [long], String(before));
  for (const steps of [8, 9, 10, 11])
    assert.deepEqual(wordsOfUser(saidIn([user('Go.'), ...work(20), user(long), ...work(steps)])), ['Go.', long]);
});

test('what hosts write in the name of the user is not a request, nor is a result', () => {
  const lines = [
    ownText(60 * KB),
    user('<skill>Run nothing.</skill>'),
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Delete.' }] },
    },
    ...work(30),
  ];
  assert.deepEqual(wordsOfUser(saidIn(lines)), []);
});

test('results keep the id of their call, and those whose calls were cut off are left out', () => {
  const said = saidIn([user('Tidy up.'), ...work(30)]);
  const [first, second] = said.slice(said.findLastIndex(({ tool_calls }) => tool_calls !== undefined));
  assert.equal(first!.tool_calls![0]!.id, 'c29');
  assert.equal(second!.tool_call_id, 'c29');
  const results = said.filter(({ role }) => role === 'tool');
  const ids = new Set(said.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  assert.ok(results.every(({ tool_call_id }) => ids.has(tool_call_id)));
});
