/**
 * Wakes a worker that waits for work: when it is told of new work, and at regular intervals in case a notice was lost.
 */
export interface Bell {
  /** Wakes the waiting worker. */
  ring(): void;
  /**
   * Resolves at the next ring, or after `poll_ms`. Call it before looking for work and await it afterwards, so that no
   * ring is lost in between.
   */
  next(): Promise<void>;
}

/** For one worker: when several wait on the same bell, a ring wakes only the last one. */
export function createBell(poll_ms: number): Bell {
  let wake = (): void => {};
  return {
    ring: () => wake(),
    next: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, poll_ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
