/** Whoever waits for an answer, and how long. */
export interface Waiter {
  /** Throws when the caller no longer waits. Call it before each piece of work that can be skipped. */
  checkWanted(): void;
  /** Aborted when the caller has left before its answer: long calls for it alone end then. */
  left(): AbortSignal;
  /** Milliseconds until the caller no longer waits; `Infinity` where it does not say. */
  timeLeft(): number;
}

/** @param onLeft registers what is called when the caller leaves; called once, when the signal is first asked for */
export function leftOnce(onLeft: (abort: () => void) => void): () => AbortSignal {
  let signal: AbortSignal | null = null;
  return () => {
    if (signal !== null) return signal;
    const controller = new AbortController();
    signal = controller.signal;
    onLeft(() => controller.abort());
    return signal;
  };
}
