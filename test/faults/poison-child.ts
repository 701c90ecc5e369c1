/**
 * A worker process that dies by SIGKILL when it scores the event `poison` whole. `SLOWLY_MS`: that takes a while, and every
 * other event half as long again, so that whatever is begun beside it dies of it too. Run by poison.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { compose } from '../../src/compose.ts';
import type { Evaluate } from '../../src/engine/evaluate.ts';
import { startBatchWorker } from '../../src/engine/worker/score-batch.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/platform/settings.ts';

const log = createLog('silent');
const slowly_ms = Number(process.env['SLOWLY_MS'] ?? 0);
const parts = await compose(readSettings(process.env), { log, clock: systemClock });
const evaluate: Evaluate = async (customer_id, submission, extent) => {
  const is_deadly = submission.event.event_id === 'poison' && extent !== 'outline';
  if (slowly_ms > 0) await sleep(is_deadly ? slowly_ms : 1.5 * slowly_ms);
  if (is_deadly) process.kill(process.pid, 'SIGKILL');
  return parts.evaluate_later(customer_id, submission, extent);
};
startBatchWorker({
  queue: parts.storage.queue,
  dispatch: null,
  log,
  evaluate,
  evaluateInOrder: async (customer_id, [first]) => [await evaluate(customer_id, first!)],
});
