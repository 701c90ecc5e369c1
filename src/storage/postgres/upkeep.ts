/** What a node does for the database now and then, beside its work. */

/** When the start is over and what came in meanwhile is done. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/**
 * Runs `work` a minute after the start, because nodes may be replaced before their first hour is over, and then every
 * hour, until the answer is called. A failure waits for the next time. Keeps no process alive.
 */
export function keepUp(work: () => Promise<void>): () => void {
  const run = () => void work().catch(() => {});
  const first = setTimeout(run, FIRST_MS).unref();
  const every = setInterval(run, EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
}
