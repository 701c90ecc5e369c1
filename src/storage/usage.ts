/** Tells the log that a backend cannot be used, and that it can be again, so that somebody hears and nobody is flooded. */
import { performance } from 'node:perf_hooks';

export interface Usage {
  /** It cannot be used. May be called as often as that is found out. */
  away(reason: string): void;
  /** It can be used. */
  up(): void;
}

export interface UsageWords {
  /** Of the backend, with its place: never with a password. */
  name: string;
  /** What is done meanwhile, and what to look at. */
  advice: string;
}

/** What stays wrong is said again after this long, so that it is in the part of the log that somebody reads. */
const REMIND_MS = 60_000;
/** Of reasons that differ each time, and of a backend that comes and goes, the log takes so many in that time. */
const MAX_LINES = 5;

/** A reason is said at once, and once in a minute while it lasts; the end of it is said once. `now` counts milliseconds. */
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
