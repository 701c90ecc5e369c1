/** Answers without an end, counted for each API key, so that nobody takes all connections; all end with the process. */
import { counted } from '../../lang/english.ts';
import { WeirError } from '../errors.ts';

/** Streams of one API key: a few consoles and collectors. */
export const MOST_OF_KEY = 8;
/** Streams of one process: each reads the database twice a second. */
const MOST = 200;

export interface Streams {
  /** Ends all streams, and every later one at once: the process is about to stop. */
  release(): void;
  /** A signal for one stream of this key, and what to call at its end; throws `rate_limited` where there are too many. */
  open(key_id: string): { signal: AbortSignal; close: () => void };
}

export function createStreams(): Streams {
  const open = new Map<AbortController, string>();
  let is_released = false;
  return {
    release() {
      is_released = true;
      for (const one of open.keys()) one.abort();
    },
    open(key_id) {
      const of_key = [...open.values()].filter((one) => one === key_id).length;
      if (of_key >= MOST_OF_KEY || open.size >= MOST) {
        const bound =
          of_key >= MOST_OF_KEY
            ? `this API key has ${counted(of_key, 'stream')}`
            : `this server has ${counted(open.size, 'stream')}`;
        throw new WeirError('rate_limited', { detail: `${bound} already; close one, or share it`, retry_after_s: 5 });
      }
      const controller = new AbortController();
      open.set(controller, key_id);
      if (is_released) controller.abort();
      return {
        signal: controller.signal,
        close: () => {
          open.delete(controller);
          controller.abort();
        },
      };
    },
  };
}
