/**
 * A delivery worker that kills itself with SIGKILL right after a step, the first time it gets there:
 * `kill-child.ts <database url> <claimed|sent|recorded|never> [naive]`. `naive` marks a message as delivered before it is sent.
 */
import type { WebhookStore } from '../../src/storage/ports/webhooks.ts';
import { createSender, type Sender } from '../../src/webhooks/send.ts';
import { openBench } from './worker-support.ts';

const [url, step, design] = process.argv.slice(2);

function reached(where: string): void {
  if (where === step) process.kill(process.pid, 'SIGKILL');
}

const bench = await openBench(url!);
const { webhooks } = bench.storage;
const inner = createSender({ allow_private: true });

const store: WebhookStore = {
  ...webhooks,
  async claim(...args) {
    const claims = await webhooks.claim(...args);
    if (design === 'naive') {
      for (const claim of claims) await webhooks.finish(claim, { state: 'delivered', status: 200, duration_ms: 0 });
    }
    if (claims.length > 0) reached('claimed');
    return claims;
  },
  async finish(...args) {
    const reason = await webhooks.finish(...args);
    reached('recorded');
    return reason;
  },
};

const sender: Sender = {
  async send(attempt) {
    const result = await inner.send(attempt);
    reached('sent');
    return result;
  },
  close: () => inner.close(),
};

// The lease of a worker that dies runs out soon. The one that lives keeps its own however slow the machine is, so it sends nothing twice.
const worker = bench.work({ store, sender, lease_ms: step === 'never' ? 60_000 : 500 });
process.once('SIGTERM', async () => {
  await worker.stop(500);
  await bench.storage.close();
});
