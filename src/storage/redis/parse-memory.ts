/** Parses the text of a memory in Redis, `version JSON`; a cache may hold what another version of Weir wrote. */
import type { Bag } from '../../scoring/history/bag.ts';
import { type Hours, noHours } from '../../scoring/history/hours.ts';
import type { LastAction, Memory } from '../../scoring/history/memory.ts';
import type { Pace } from '../../scoring/history/pace.ts';

export const VERSION_BYTES = 12;
export const VERSION_LENGTH = 2 * VERSION_BYTES;

export interface Versioned {
  /** '' for a missing memory. */
  version: string;
  memory: Memory | null;
}

/** Foreign text, such as that of an older version, counts as missing and is rebuilt over this version. */
export function parseMemory(text: string | null): Versioned {
  if (text === null) return { version: '', memory: null };
  const version = text.slice(0, VERSION_LENGTH);
  try {
    const value: unknown = JSON.parse(text.slice(VERSION_LENGTH + 1));
    return { version, memory: isMemory(value) ? value : null };
  } catch {
    return { version, memory: null };
  }
}

type Check = (value: unknown) => boolean;

const isNumber: Check = Number.isFinite;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const tupleOf =
  (...checks: Check[]): Check =>
  (value) =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, i) => check(value[i]));

/** A check per member, so that the compiler requires one for each new member of the type. */
function recordOf<T>(checks: Record<keyof T, Check>): Check {
  const members = Object.entries<Check>(checks);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    members.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const isBag = recordOf<Bag>({ entries: listOf(tupleOf(isText, isNumber, isNumber, isNumber)), novelty: isNumber });
const isHours = recordOf<Hours>({
  counts: tupleOf(...noHours().counts.map(() => isNumber)),
  days: isNumber,
  last_day: isNumber,
});
const isPace = recordOf<Pace>({
  minute: isNumber,
  actions: isNumber,
  changes: isNumber,
  actions_before: isNumber,
  changes_before: isNumber,
  usual: isNumber,
  minutes: isNumber,
});
const isAction = recordOf<LastAction>({
  event_id: isText,
  at: isNumber,
  action: isText,
  domain: isText,
  group: isText,
  score: isNumber,
  is_refused: isFlag,
});
const hasMembers = recordOf<Memory>({
  counted_from: isNumber,
  seconds: listOf(tupleOf(isNumber, isNumber)),
  n: isNumber,
  latest: isText,
  actions: isBag,
  resources: isBag,
  places: isBag,
  pace: isPace,
  hours: isHours,
  claimed_hours: isHours,
  classes: listOf(isText),
  wrote: listOf(isText),
  task: listOf(isText),
  last: listOf(isAction),
  trouble_at: isNumber,
  told: listOf(isText),
});

function isMemory(value: unknown): value is Memory {
  return hasMembers(value);
}
