/**
 * Logs that a backend cannot be used, and that it can be used again, so that an operator notices and the log is not
 * flooded.
 */
import { performance } from 'node:perf_hooks';

export interface Usage {
  /** It cannot be used. May be called at every failure. */
  away(reason: string): void;
  /** It can be used. */
  up(): void;
}

export interface UsageWords {
  /** Name of the backend, with its address: never with a password. */
  name: string;
  /** What happens meanwhile, and what to check. */
  advice: string;
}

/** A lasting fault is logged again after this long, so that it is in the recent part of the log. */
const REMIND_MS = 60_000;
/** Where reasons differ each time, or a backend comes and goes, at most this many lines are logged in that time. */
const MAX_LINES = 5;

/**
 * A reason is logged immediately, and once per minute while it lasts; its end is logged once. `now` is in milliseconds.
 */
export function tellUsage(
  { name, advice }: UsageWords,
  notice: (text: string) => void,
  now = () => performance.now(),
): Usage {
  let lines: { reason: string; at: number; is_over: boolean }[] = [];
  let is_said = false;
  return {
    away(reason) {
      lines = lines.filter(({ at }) => now() - at < REMIND_MS);
      const is_known = lines.some((line) => line.reason === reason && !line.is_over);
      if (is_known || lines.length >= MAX_LINES) return;
      lines.push({ reason, at: now(), is_over: false });
      is_said = true;
      notice(`${name} cannot be used: ${reason}; ${advice}`);
    },
    up() {
      if (is_said) notice(`${name} is in use`);
      is_said = false;
      for (const line of lines) line.is_over = true;
    },
  };
}
