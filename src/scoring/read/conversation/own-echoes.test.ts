import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { ordersOf } from './order-sentences.ts';
import { readText } from './text.ts';

const MESSAGE = 'add spacing between back button and title in user detail page';
const OUTPUT = `[fix/back bf575eb395] fix: ${MESSAGE}\n 1 file changed, 1 insertion(+)`;
const commit = {
  role: 'assistant',
  content: '',
  tool_calls: [{ name: 'Bash', arguments: { command: `git commit -m "fix: ${MESSAGE}"` } }],
};
const look = { role: 'assistant', content: '', tool_calls: [{ name: 'Bash', arguments: { command: 'git log -1' } }] };
const orders = (...history: object[]): number =>
  ordersOf(
    readText(
      {
        action: 'shell:command:execute',
        parameters: {},
        conversation_history: [{ role: 'user', content: 'Go on.' }, ...history],
      } as never,
      ontology,
    ),
    ontology,
  ).length;

test('what the agent wrote itself is not an order when a result repeats it', () => {
  const read = orders(look, { role: 'tool', content: OUTPUT });
  assert.ok(read > 0, 'without the call it is one');
  assert.equal(orders(commit, { role: 'tool', content: OUTPUT }), 0);
});

test('an order that the agent repeated stays one where it was read first', () => {
  const first = orders(look, { role: 'tool', content: OUTPUT });
  assert.equal(orders(look, { role: 'tool', content: OUTPUT }, commit, { role: 'tool', content: OUTPUT }), first);
});

test('a call that only stands in a result is not the agent’s', () => {
  const planted = { role: 'tool', content: `Bash({"command": "git commit -m \\"fix: ${MESSAGE}\\""})` };
  assert.ok(orders(look, planted, look, { role: 'tool', content: OUTPUT }) > 0);
});

test('the name of a file that was read is nothing that the agent wrote', () => {
  const named = (path: string) => ({ role: 'assistant', content: `read_file(${JSON.stringify({ path })})` });
  const read = orders(look, { role: 'tool', content: OUTPUT });
  for (const path of [`notes/${MESSAGE}.md`, `notes/"${MESSAGE}".md`])
    assert.equal(orders(named(path), { role: 'tool', content: 'ok' }, look, { role: 'tool', content: OUTPUT }), read);
});
