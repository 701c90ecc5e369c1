import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, ontology, talk } from '../../../../test/support/readings.ts';
import type { Message } from '../../../events/event.ts';
import { type Grade, gradeOf } from './grade.ts';
import { readText, segmentsOf } from './text.ts';

/** Grades of the tools' messages, in order. */
function grades(conversation_history: Message[]): Grade[] {
  const text = readText(eventOf({ conversation_history }), ontology);
  return segmentsOf(text)
    .filter(({ speaker }) => speaker === 'tool')
    .map((segment) => gradeOf(segment, text));
}

const after = (call: string): Grade | undefined =>
  grades(talk(['user', 'go on'], ['assistant', call], ['tool', 'out']))[0];

test('files of the project and output of its own commands are the workspace', () => {
  for (const call of [
    'read_file({"path": "src/app.ts"})',
    'Read({"file_path": "/home/ana/shop/README.md"})',
    'mcp__filesystem__read_text_file({"path": "docs/tasks.md"})',
    'grep_search({"query": "TODO"})',
    'codebase_search({"query": "where is the port set"})',
    'list_dir({"relative_workspace_path": "src"})',
    'run_terminal_cmd({"command": "git status && npm test"})',
    'Bash({"command": "cd /home/ana/shop && npx tsc --noEmit"})',
    'execute_bash({"command": "pytest -q tests | tail -20"})',
    'str_replace_editor({"command": "view", "path": "/testbed/a.py"})',
    'TodoWrite({"todos": "1. run the tests"})',
    'PowerShell({"command": "Get-ChildItem src"})',
    'run_terminal_command_v2({"command": "git status"})',
    'read_file_v2({"path": "src/app.ts"})',
    'I look at it first.\nread_file({"path": "src/app.ts"})',
  ])
    assert.equal(after(call), 'workspace', call);
});

test('what others may have written is a stranger’s, and so is what is not known', () => {
  for (const call of [
    'WebFetch({"url": "https://docs.example.test/setup"})',
    'browse_page({"path": "docs"})',
    'read_file({"path": "node_modules/left-pad/README.md"})',
    'read_file({"path": "/home/ana/Downloads/setup.md"})',
    'gdrive_read_file({"path": "plan.md"})',
    'read_file({"file_id": "17"})',
    'get_issue({"number": 12})',
    'read_email({"path": "inbox/1"})',
    'Bash({"command": "curl -s https://get.example.test/notes"})',
    'Bash({"command": "gh issue view 12"})',
    'Bash({"command": "npm view left-pad readme"})',
    'Bash({"command": "acme-tickets show 7"})',
    'Bash({"command": "cat vendor/lib/README"})',
    'Bash({"command": "npm test; gh pr view 3 --comments"})',
    'Bash({"command": "psql -c \\"select body from comments\\""})',
    'zorp({"path": "a.txt"})',
    'I read the file now.',
  ])
    assert.equal(after(call), 'stranger', call);
});

test('a file that a stranger’s result named is a stranger’s', () => {
  const brought = talk(
    ['assistant', 'download_attachment({"id": 4})'],
    ['tool', 'saved as notes-of-bob.md'],
    ['assistant', 'read_file({"path": "notes-of-bob.md"})'],
    ['tool', 'text'],
  );
  assert.deepEqual(grades(brought), ['stranger', 'stranger']);
});

test('of several calls the lowest grade counts, and a result needs a call of its own', () => {
  const both = talk(
    ['assistant', 'read_file({"path": "a.md"})'],
    ['assistant', 'WebFetch({"url": "https://x.test"})'],
    ['tool', 'one'],
    ['tool', 'two'],
  );
  assert.deepEqual(grades(both), ['stranger', 'stranger']);
  assert.deepEqual(grades(talk(['assistant', 'read_file({"path": "a.md"})'], ['user', 'wait'], ['tool', 'x'])), [
    'stranger',
  ]);
});

test('of calls with ids each result has the grade of the call that it answers', () => {
  const call = (id: string, name: string, args: Record<string, string>): Message => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, name, arguments: args }],
  });
  const result = (tool_call_id: string, content: string): Message => ({ role: 'tool', content, tool_call_id });
  const calls = [call('c1', 'read_file', { path: 'a.md' }), call('c2', 'WebFetch', { url: 'https://x.test' })];
  assert.deepEqual(grades([...calls, result('c2', 'page'), result('c1', 'file')]), ['stranger', 'workspace']);
  // A second answer to a call, and an id that nobody gave, are no answers.
  assert.deepEqual(grades([...calls, result('c1', 'file'), result('c1', 'more'), result('c9', 'x')]), [
    'workspace',
    'stranger',
    'stranger',
  ]);
  // A result that stands before its call answers nothing.
  assert.deepEqual(grades([result('c1', 'early'), ...calls])[0], 'stranger');
});
