/** Wakes a worker that waits for work: when somebody says that there is some, and now and then in case nobody did. */
export interface Bell {
  /** Wakes who waits. */
  ring(): void;
  /**
   * Until somebody rings, or `poll_ms` have passed. Ask for it before the look for work and wait for it after, so that no
   * ring falls in between.
   */
  next(): Promise<void>;
}

/** One worker's own: of several that wait at a time only the last is woken by a ring. */
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
