/** `weir eval --llm`: what a second opinion adds, with the labels as oracle and with a provider on the wire. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SecondOpinions } from '../../tools/evaluation/llm/count-llm.ts';
import { honest } from '../kits/llm/behaviours.ts';
import { TOKENS } from '../kits/llm/formats.ts';
import { startLlmServer } from '../kits/llm/server.ts';
import { jsonLines, temporaryFolder, weir } from './support.ts';

const folder = temporaryFolder();
const record = (id: string, label: 0 | 1, action: string, source = 's') => ({
  id,
  source,
  label,
  event: { event_id: id, action, timestamp: '2026-03-04T10:00:00Z', user_context: 'Do it.' },
});
// Three that the rules do not know, one that they do.
const file = folder.write(
  'labelled.jsonl',
  jsonLines([
    record('h1', 1, 'zorg:blip:frobnicate'),
    record('h2', 1, 'zorg:wipe:quux', 't'),
    record('b1', 0, 'zorg:blip:quux'),
    record('b2', 0, 'web:page:read', 't'),
  ]),
);

async function evaluate(args: readonly string[], env: Record<string, string> = {}): Promise<SecondOpinions> {
  const { code, stdout, stderr } = await weir(['eval', file, '--json', ...args], { env });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as SecondOpinions;
}

test('an oracle recovers every miss that it is asked about, and adds no false alarm', async () => {
  const { all, sources, mean_recovered } = await evaluate(['--llm', 'oracle']);
  assert.deepEqual([all.n, all.asked, all.missed, all.recovered, all.added_false_alarms], [4, 3, 2, 2, 0]);
  assert.equal(all.benign_asked, 1);
  assert.equal(sources.length, 2);
  assert.equal(mean_recovered, 1);
});

test('a provider is asked as the server asks it, and its tokens are priced', async () => {
  const server = await startLlmServer(honest);
  try {
    const env = {
      LLM_PROVIDER: 'openai-compatible',
      LLM_MODEL: 'claude-stand-in',
      LLM_BASE_URL: server.url,
      LLM_PRICE_INPUT: '1',
      LLM_PRICE_OUTPUT: '10',
    };
    const { all, troubles } = await evaluate(['--llm'], env);
    assert.equal(server.asked.length, 3);
    // By its table `wipe` is worth 95 and `frobnicate` 55.
    assert.deepEqual([all.asked, all.answered, all.recovered, all.added_false_alarms], [3, 3, 1, 0]);
    assert.equal(all.tokens, 3 * (TOKENS.input + TOKENS.output));
    assert.ok(Math.abs(all.cost_usd! - (3 * (TOKENS.input + 10 * TOKENS.output)) / 1e6) < 1e-9);
    assert.deepEqual(troubles, {});
    server.mode = 'error';
    const failed = await evaluate(['--llm'], env);
    assert.deepEqual([failed.all.answered, failed.all.recovered], [0, 0]);
    assert.ok(Object.values(failed.troubles).reduce((a, b) => a + b, 0) === 3);
  } finally {
    await server.stop();
  }
});

test('without a provider it says what to set', async () => {
  const { code, stderr } = await weir(['eval', file, '--llm'], { env: { LLM_PROVIDER: '' } });
  assert.equal(code, 1);
  assert.match(stderr, /set LLM_PROVIDER and LLM_MODEL, or write --llm oracle/);
});
