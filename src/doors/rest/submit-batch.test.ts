import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../test/support/cpu.ts';
import { systemClock } from '../../platform/clock.ts';
import { submitBatch } from './submit-batch.ts';

test('acquiring room for a small batch is cheap, however much room there is for large ones', async () => {
  const accept = async () => ['e'];
  const { body, handle } = submitBatch({ accept, clock: systemClock });
  const request = {
    request_id: 'r',
    address: '',
    bearer: null,
    weigh: () => {},
    checkWanted: () => {},
  };
  const raw = Buffer.from('{"events":[{"action":"crm:contact:read"}]}');
  const caller = { customer_id: 'c', key_id: 'k' };
  const took = await cpuMs(async () => {
    for (let n = 0; n < 40; n += 1) {
      const sent = body!.read(body!.parse!(raw) as never);
      const { status } = await handle({ path: {}, query: {}, body: sent, caller, request } as never);
      assert.equal(status, 202);
    }
  });
  // Counted in bytes, the semaphore alone takes a tenth of a second for each.
  assert.ok(took < 1_000, `${took} ms`);
});
