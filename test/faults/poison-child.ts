/** A worker process that dies by SIGKILL when it begins to score the event `poison` whole. Run by poison.test.ts. */
import { compose } from '../../src/compose.ts';
import { startBatchWorker } from '../../src/engine/tasks/score-batch.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/platform/settings.ts';

const log = createLog('silent');
const parts = await compose(readSettings(process.env), { log, clock: systemClock });
startBatchWorker({
  queue: parts.storage.queue,
  dispatch: null,
  log,
  evaluate: (customer_id, submission, extent) => {
    if (submission.event.event_id === 'poison' && extent !== 'outline') process.kill(process.pid, 'SIGKILL');
    return parts.evaluate_later(customer_id, submission, extent);
  },
});
