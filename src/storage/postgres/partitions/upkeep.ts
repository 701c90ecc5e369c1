/** Periodic maintenance that a node does for the database. */
import { reasonOf } from '../../reason-of.ts';

/** After the start, and after the requests that arrived meanwhile. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/**
 * Runs `work` a minute after the start, because nodes may be replaced within an hour, and then every hour, until the
 * returned function is called. A failure is logged and retried the next time. Does not keep the process alive.
 */
export function keepUp(work: () => Promise<void>, notice: (text: string) => void): () => void {
  let is_over = false;
  const run = () =>
    void work().catch((error: unknown) => {
      // An interruption by the shutdown is not a failure.
      if (!is_over) notice(`maintenance of the database failed, and is tried again within an hour: ${reasonOf(error)}`);
    });
  const first = setTimeout(run, FIRST_MS).unref();
  const every = setInterval(run, EVERY_MS).unref();
  return () => {
    is_over = true;
    clearTimeout(first);
    clearInterval(every);
  };
}
