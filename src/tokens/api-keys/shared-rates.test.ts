import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { memoryCache } from '../../storage/memory/cache.ts';
import { createSharedRates } from './shared-rates.ts';

function twoNodes(cache = memoryCache()) {
  let now = 1_700_000_000_000;
  const clock = { now: () => now, ticks: () => now };
  const make = () => createSharedRates('rates', 10, 1, clock, cache);
  return { nodes: [make(), make()] as const, step: (ms: number) => void (now += ms) };
}

test('what one node lets through is missing at the other', async () => {
  const { nodes, step } = twoNodes();
  let let_through = 0;
  for (let n = 0; n < 40; n += 1) {
    if (nodes[n % 2]!.take('k') === 0) let_through += 1;
    // Longer than between two messages, and too short for a new token.
    step(50);
    await turn();
  }
  // A bucket of ten and two seconds of one token each, for both nodes together; what crosses on its way may be beyond.
  assert.ok(let_through >= 10 && let_through <= 14, String(let_through));
  assert.equal(nodes[0].take('another'), 0);
});

test('a cache that is away leaves each node its own limit', async () => {
  const away = { ...memoryCache(), increment: () => Promise.reject(new Error('away')) };
  const { nodes, step } = twoNodes(away);
  for (const node of nodes) {
    for (let n = 0; n < 10; n += 1) {
      assert.equal(node.take('k'), 0);
      await turn();
    }
    assert.ok(node.take('k') > 0);
  }
  step(5_000);
  assert.equal(nodes[0].take('k'), 0);
});
