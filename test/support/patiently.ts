import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/platform/errors.ts';

const TRIES = 50;
const PAUSE_MS = 200;

/**
 * What a store that is busy for a moment answers in the end. A store gives up after a second without a connection, which a machine
 * with other work can take; what it answers, such as that a row is not there, is never asked again.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
