/**
 * Waits until what has arrived by now has been read. Events that came together are then scored one after the other,
 * which takes a third less time than scoring each between the reading of two requests: the processor's caches hold the
 * scoring or the reading, not both. A lone event waits for nothing.
 *
 * After so many the others wait for the next turn of the loop, in which the database's answers are read and the next group is
 * sent to it: else it would be idle while we score, and we while it writes.
 */
export const TOGETHER = 32;

export function createEndOfTurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function release(): void {
    const now = waiting.splice(0, TOGETHER);
    if (waiting.length > 0) setImmediate(release);
    for (const resolve of now) resolve();
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(release);
      waiting.push(resolve);
    });
}
