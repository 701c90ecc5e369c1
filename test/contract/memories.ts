import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyMemory, type Memory, remember } from '../../src/scoring/history/memory.ts';
import type { MemoryCache } from '../../src/storage/ports/cache.ts';
import { until } from '../support/patience.ts';
import { makeTrace, range } from './start.ts';

/** What the cache remembers of agents and sessions. `nodes` are two caches on one backend, or one that stands alone twice. */
export function memoryTests(nodes: () => [MemoryCache, MemoryCache]): void {
  const add = (event_id: string) => (memory: Memory | null) => remember(memory ?? emptyMemory(), makeTrace(event_id));

  test('a memory is read as it was written, beside others that are not there', async () => {
    const [one, two] = nodes();
    await one.update('a', add('e1'), 60_000);
    const expected = remember(emptyMemory(), makeTrace('e1'));
    assert.deepEqual(await two.read(['x', 'a', 'a']), [null, expected, expected]);
  });

  test('null leaves it as it is', async () => {
    const [one, two] = nodes();
    await one.update('b', () => null, 60_000);
    assert.deepEqual(await two.read(['b']), [null]);
    await one.update('b', add('e1'), 60_000);
    await two.update('b', () => null, 60_000);
    assert.equal((await one.read(['b']))[0]?.n, 1);
  });

  test('changes by two nodes at once all count, each once', async () => {
    const [one, two] = nodes();
    const chains = [one, two].map(async (node, who) => {
      for (const n of range(40)) await node.update('c', add(`${who}-${n}`), 60_000);
    });
    await Promise.all(chains);
    assert.equal((await one.read(['c']))[0]?.n, 80);
    await Promise.all(range(10).map(() => one.update('c', add('twice'), 60_000)));
    assert.equal((await two.read(['c']))[0]?.n, 81, 'an event that is told again is not added again');
  });

  test('it ends after its time, counted from the last change', async () => {
    const [one] = nodes();
    // On a busy machine its time may be over before the second change.
    let key = '';
    for (let n = 0; key === ''; n += 1) {
      await one.update(`d-${n}`, add('e1'), 1_000);
      await one.update(`d-${n}`, add('e2'), 600_000);
      if ((await one.read([`d-${n}`]))[0]?.n === 2) key = `d-${n}`;
    }
    await sleep(1_100);
    assert.equal((await one.read([key]))[0]?.n, 2);
    await one.update(key, add('e3'), 200);
    await until(async () => (await one.read([key]))[0] === null, 'it ends');
  });

  test('keys and contents may hold anything', async () => {
    const [one, two] = nodes();
    const names = [' ', 'a:b', '\n', '*', '__proto__', '\u{1f600}', 'é'.repeat(500)];
    for (const name of names) await one.update(`k${name}`, add(name), 60_000);
    const read = await two.read(names.map((name) => `k${name}`));
    assert.deepEqual(
      read.map((memory) => memory?.last[0]?.event_id),
      names,
    );
  });
}
