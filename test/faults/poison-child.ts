/**
 * A worker process that dies by SIGKILL when it scores the event `poison` whole. `SLOWLY_MS`: that takes a while, and every
 * other event half as long again, so that whatever is begun beside it dies of it too. Run by poison.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { compose } from '../../src/compose.ts';
import type { EvaluateAccepted } from '../../src/engine/callers.ts';
import { startBatchWorker } from '../../src/engine/worker/score-batch.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/platform/settings.ts';

const log = createLog('silent');
const slowly_ms = Number(process.env['SLOWLY_MS'] ?? 0);
const parts = await compose(readSettings(process.env), { log, clock: systemClock });
/** Scores the first of the events alone. */
const evaluate: EvaluateAccepted = async (customer_id, [first], options) => {
  const is_deadly = first!.event.event_id === 'poison' && options?.extent !== 'outline';
  if (slowly_ms > 0) await sleep(is_deadly ? slowly_ms : 1.5 * slowly_ms);
  if (is_deadly) process.kill(process.pid, 'SIGKILL');
  return parts.evaluate_accepted(customer_id, [first!], options);
};
startBatchWorker({
  queue: parts.storage.queue,
  dispatch: null,
  log,
  evaluate,
});
