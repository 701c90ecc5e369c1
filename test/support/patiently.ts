import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/platform/errors.ts';
import { PATIENCE_MS } from './patience.ts';

const PAUSE_MS = 200;

/**
 * What a store that is busy for a moment answers in the end. A store gives up after a second without a connection, which a machine
 * with other work can take; what it answers, such as that a row is not there, is never asked again.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
