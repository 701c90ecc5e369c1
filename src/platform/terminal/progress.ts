/** Progress of a long run, on standard error and only when it is a terminal. */
import { SingleBar } from 'cli-progress';
import type { Input } from './input.ts';

export interface Progress {
  tick: () => void;
  stop: () => void;
}

const SILENT: Progress = { tick: () => {}, stop: () => {} };
/** Reading the clock for every event would cost more than the display is worth. */
const EVERY = 16;

/** A bar over the bytes of the file; silent when standard error is not a terminal or the size is unknown. */
export function startProgress(input: Input, is_wanted = true): Progress {
  if (!is_wanted || !process.stderr.isTTY || input.size === null || input.size === 0) return SILENT;
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage}%  {events} events, {rate} a second',
    clearOnComplete: true,
    hideCursor: true,
  });
  const started = performance.now();
  let events = 0;
  const payload = (): object => ({
    events,
    rate: Math.round(events / Math.max(0.001, (performance.now() - started) / 1000)),
  });
  bar.start(input.size, 0, payload());
  return {
    tick: () => {
      events += 1;
      if (events % EVERY === 0) bar.update(input.bytesRead(), payload());
    },
    stop: () => bar.stop(),
  };
}
