import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenCalls } from './written-calls.ts';

const FORMS: readonly [form: string, message: string][] = [
  ['words of an agent framework', 'Thought: I look.\nAction: read_file\nAction Input: {"path": "a.ts", "n": 3}'],
  ['words with arguments behind them', 'Calling read_file with {"path": "a.ts", "n": 3}'],
  ['JSON in a tag', 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts", "n": 3}}\n</tool_call>'],
  [
    'elements with a name',
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.ts</parameter>\n<parameter name="n">3</parameter>\n</invoke>\n</function_calls>',
  ],
  [
    'elements with a name behind a sign',
    '<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=n>3</parameter>\n</function>',
  ],
  ['an element of the name', 'I look.\n<read_file>\n<path>a.ts</path>\n<n>3</n>\n</read_file>'],
  [
    'content blocks as JSON',
    '[{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a.ts", "n": 3}}]',
  ],
  [
    'the calls of a message as JSON',
    '{"tool_calls": [{"id": "c", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.ts\\", \\"n\\": 3}"}}]}',
  ],
  ['Python', 'read_file(path="a.ts", n=3)'],
  ['JSON in a fence', '```json\n{"action": "read_file", "action_input": {"path": "a.ts", "n": 3}}\n```'],
  ['JSON behind a mark', '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.ts", "n": 3}}]'],
  ['JSON behind a token', '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.ts", "n": 3}}'],
  ['the common form below prose', 'I look.\n\nread_file({"path": "a.ts", "n": 3})'],
];

for (const [form, message] of FORMS)
  test(`reads a call in the form of ${form}`, () => {
    assert.deepEqual(writtenCalls(message)?.calls, [{ name: 'read_file', given: { path: 'a.ts', n: 3 } }]);
  });

test('keeps the text of a parameter as it is written', () => {
  const message = '<invoke name="Bash">\n<parameter name="command">ls && echo "<b>" > a</parameter>\n</invoke>';
  assert.deepEqual(writtenCalls(message)?.calls, [{ name: 'Bash', given: { command: 'ls && echo "<b>" > a' } }]);
});

test('reads several calls in order', () => {
  const calls = writtenCalls(
    'Both.\n<tool_call>{"name": "a", "arguments": {}}</tool_call>\n<tool_call>{"name": "b", "arguments": {}}</tool_call>',
  );
  assert.deepEqual(
    calls?.calls.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('keeps what a message says beside its calls', () => {
  const message =
    '{"role": "assistant", "content": "Shall I pay?", "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]}';
  assert.equal(writtenCalls(message)?.prose, 'Shall I pay?');
  assert.equal(
    writtenCalls('[{"tool_calls": [{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]}, {"note": "x"}]'),
    null,
  );
});

for (const message of [
  'Plain prose (really).',
  'The answer is <b>42</b>',
  '<html><body>Hello</body></html>',
  '{"name": "Ann", "age": 3}',
  'Done (see docs)',
  'read_file({"path": "a.ts"})',
  'I would call <tool_call>{"name": "a", "arguments": {}}</tool_call> and then stop.',
  '',
])
  test(`takes no call from ${JSON.stringify(message.slice(0, 40))}`, () => {
    assert.equal(writtenCalls(message), null);
  });
