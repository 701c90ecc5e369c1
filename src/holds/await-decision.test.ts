import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWaiting, type LookedUp } from './await-decision.ts';

test('disconnected callers are no longer served, waiting ones are', async () => {
  const callbacks = new Set<(event: null) => void>();
  let looks = 0;
  const waiting = createWaiting({
    scores: {
      lookUp: async () => {
        looks += 1;
        return 'queued';
      },
    },
    holds: {
      onDecision: (callback) => {
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      },
    },
  });
  const left = new Error('left');
  const gone = assert.rejects(
    waiting.lookUp('c', 'e', 60, () => {
      throw left;
    }),
    left,
  );
  const patient = waiting.lookUp('c', 'e', 60, () => {});
  while (looks < 2) await new Promise(setImmediate);
  for (const tell of [...callbacks]) tell(null);
  await gone;
  while (looks < 3) await new Promise(setImmediate);
  assert.equal(callbacks.size, 1);
  waiting.release();
  assert.equal(await patient, 'queued');
  assert.equal(callbacks.size, 0);
});

test('waits for an unscored event, and on to the decision when its score holds it', async () => {
  const stages = [
    'queued',
    { hold: { state: 'held' } },
    { hold: { state: 'held' } },
    { hold: { state: 'approved' } },
  ] as unknown as LookedUp[];
  let tell = (_: null): void => {};
  const waiting = createWaiting({
    scores: {
      lookUp: async () => {
        setImmediate(() => tell(null));
        return stages.shift()!;
      },
    },
    holds: {
      onDecision: (callback) => {
        tell = callback;
        return () => {};
      },
    },
  });
  assert.deepEqual(await waiting.lookUp('c', 'e', 60, () => {}), { hold: { state: 'approved' } });
  assert.deepEqual(stages, []);
});
