import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { createIntake } from '../../../platform/http/intake.ts';
import { CallOver, createUnpacker, type Packed } from './unpacker.ts';

const MOST = 100;

function start(bytes_each: number) {
  const intake = createIntake({ bytes_each, bytes: 10 * bytes_each });
  const unpack = createUnpacker(intake);
  const begun: (() => void)[] = [];
  const ask = (packed: Partial<Packed> = {}): Promise<Buffer> =>
    unpack(
      { customer_id: 'a', most_bytes: MOST, may_wait: false, isOver: () => false, keep: () => 0, ...packed },
      () => {
        return new Promise((done) => begun.push(() => done(Buffer.alloc(0))));
      },
    );
  return { intake, begun, ask };
}

describe('unpacking', () => {
  test('four messages of a customer at a time, each with room for its longest possible form', async () => {
    const { intake, begun, ask } = start(10 * MOST);
    const all = Array.from({ length: 9 }, () => ask());
    await turn();
    assert.equal(begun.length, 4);
    assert.equal(intake.load(), 4 * MOST);
    const other = ask({ customer_id: 'b' });
    await turn();
    assert.equal(begun.length, 5);
    for (let i = 0; i < 10; i += 1) {
      begun[i]?.();
      await turn();
    }
    await Promise.all([...all, other]);
    assert.equal(begun.length, 10);
    assert.equal(intake.load(), 0);
  });

  test('a message without room waits for those before it, which will be shorter than the bound', async () => {
    const { begun, ask } = start(MOST);
    const all = [ask(), ask(), ask()];
    await turn();
    for (let i = 0; i < 3; i += 1) {
      assert.equal(begun.length, i + 1);
      begun[i]!();
      await turn();
    }
    await Promise.all(all);
  });

  test('with nothing to wait for, a unary message is refused and one of a stream waits', async () => {
    const { intake, begun, ask } = start(MOST);
    intake.enter('a', 1);
    await assert.rejects(ask(), /too large together/);
    const patient = ask({ may_wait: true });
    await sleep(50);
    assert.equal(begun.length, 0);
    intake.leave('a', 1);
    while (begun.length === 0) await sleep(10);
    begun[0]!();
    await patient;
  });

  test('a decompressed message stays counted with its real size', async () => {
    const { intake, begun, ask } = start(10 * MOST);
    const kept = ask({ keep: () => 30 });
    await turn();
    begun[0]!();
    await kept;
    assert.equal(intake.load(), 30);
  });

  test('a message whose call is over is skipped', async () => {
    const { intake, begun, ask } = start(10 * MOST);
    for (let i = 0; i < 4; i += 1) ask();
    let is_over = false;
    const gone = assert.rejects(ask({ isOver: () => is_over }), CallOver);
    ask();
    await turn();
    is_over = true;
    begun[0]!();
    await gone;
    await turn();
    assert.equal(begun.length, 5);
    assert.equal(intake.load(), 4 * MOST);
  });
});
