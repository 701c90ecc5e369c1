import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createInWork, type Entered } from './in-work.ts';

const MIB = 1_048_576;

describe('the work in progress of a stream', () => {
  test('256 requests or 8 MiB fill it, by their size once they are read', () => {
    const seen: boolean[] = [];
    const work = createInWork(() => seen.push(work.isFull()));
    const many = Array.from({ length: 256 }, () => work.enter(1));
    assert.deepEqual([seen.indexOf(true), work.isFull()], [255, true]);
    for (const one of many) one.leave();
    assert.deepEqual([work.isFull(), work.isEmpty()], [false, true]);
    const small = work.enter(30_000);
    small.grow(8 * MIB);
    assert.deepEqual([work.isFull(), work.isCrowded(), seen.at(-1)], [true, true, true]);
    small.leave();
    assert.deepEqual([work.isFull(), work.isCrowded(), seen.at(-1)], [false, false, false]);
  });

  test('requests that arrived before any was read are read as room allows, and finally all of them', async () => {
    const work = createInWork(() => {});
    const under_way = new Set<Entered>();
    let most = 0;
    const take = async (): Promise<void> => {
      const one = work.enter(30_000);
      // As when their key is looked up meanwhile.
      await null;
      while (work.isCrowded()) await work.oneLeft();
      one.grow(MIB);
      under_way.add(one);
      most = Math.max(most, under_way.size);
      await new Promise(setImmediate);
      under_way.delete(one);
      one.leave();
    };
    await Promise.all(Array.from({ length: 200 }, take));
    assert.equal(most, 8);
    assert.ok(work.isEmpty() && !work.isCrowded() && !work.isFull());
  });
});
