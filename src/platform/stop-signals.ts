/** The signals that ask a process to stop. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * A Ctrl-C comes twice below npm: once from the terminal and once from npm, which passes on what it got. A SIGINT within this time of the
 * first signal is the same Ctrl-C.
 */
const SAME_KEY_MS = 500;

/**
 * Calls `stop` at the first signal. A later one ends the process at once with 128 + its number; listeners of `exit` still run,
 * so that no child process is left, as it would be with the signal's own effect.
 */
export function onStopSignal(stop: () => void): void {
  let first: number | null = null;
  const hear = (signal: NodeJS.Signals, number: number): void => {
    if (first === null) {
      first = performance.now();
      stop();
    } else if (signal !== 'SIGINT' || performance.now() - first > SAME_KEY_MS) process.exit(128 + number);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
}
