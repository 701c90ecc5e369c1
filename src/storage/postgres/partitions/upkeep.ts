/** What a node does for the database now and then, beside its work. */
import { reasonOf } from '../../reason-of.ts';

/** When the start is over and what came in meanwhile is done. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/**
 * Runs `work` a minute after the start, because nodes may be replaced before their first hour is over, and then every
 * hour, until the answer is called. A failure is told and waits for the next time. Keeps no process alive.
 */
export function keepUp(work: () => Promise<void>, notice: (text: string) => void): () => void {
  let is_over = false;
  const run = () =>
    void work().catch((error: unknown) => {
      // What the end broke off is no failure.
      if (!is_over) notice(`upkeep of the database failed, and is tried again within an hour: ${reasonOf(error)}`);
    });
  const first = setTimeout(run, FIRST_MS).unref();
  const every = setInterval(run, EVERY_MS).unref();
  return () => {
    is_over = true;
    clearTimeout(first);
    clearInterval(every);
  };
}
