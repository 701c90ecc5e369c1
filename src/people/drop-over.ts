/** Removes the sessions and links of people that ended long ago; until then they tell a used link from an unknown one. */
import type { Log } from '../platform/log.ts';
import type { PeopleStore } from '../storage/ports/people.ts';

const EVERY_MS = 3_600_000;
/** Rows of a table that one statement removes. */
const AT_ONCE = 1_000;

export interface Dropping {
  /** Resolves when the removal in progress is done. */
  stop(): Promise<void>;
}

/** Starts at once and each hour; any number of processes may. It logs failures and never rejects. */
export function startDropping(people: Pick<PeopleStore, 'dropOver'>, log: Log): Dropping {
  let is_stopping = false;
  const dropAll = async (): Promise<void> => {
    while (!is_stopping && (await people.dropOver(AT_ONCE)) >= AT_ONCE);
  };
  const run = (): Promise<void> =>
    dropAll().catch((error: unknown) => log.warn({ err: error }, 'sessions that are over were not removed'));
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, EVERY_MS).unref();
  return {
    stop: () => {
      is_stopping = true;
      clearInterval(timer);
      return running;
    },
  };
}
