/**
 * The text of a memory in Redis: `version JSON`, a line feed, and a message authentication code (HMAC-SHA-256) over the name
 * of the memory and what precedes the line feed. Redis is not trusted: who can write to it could otherwise have an
 * agent's past forgotten. It may also hold what another version of Weir wrote.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Bag } from '../../scoring/history/bag.ts';
import { type Hours, noHours } from '../../scoring/history/hours.ts';
import type { LastAction, Memory } from '../../scoring/history/memory.ts';
import type { Note } from '../../scoring/history/notes.ts';
import type { Pace } from '../../scoring/history/pace.ts';

export const VERSION_BYTES = 12;
export const VERSION_LENGTH = 2 * VERSION_BYTES;

export interface Versioned {
  /** '' for a missing memory. */
  version: string;
  memory: Memory | null;
}

/** The text to store. `name`: the key in Redis, so that one memory cannot stand for another. */
export function writeMemory(name: string, version: string, memory: Memory, key: Buffer): string {
  const text = `${version} ${JSON.stringify(memory)}`;
  return `${text}\n${codeOf(name, text, key).toString('base64url')}`;
}

const codeOf = (name: string, text: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(name).update('\n').update(text).digest();

/** Foreign text, forged or of an older version, counts as missing and is rebuilt over this version. */
export function parseMemory(name: string, stored: string | null, key: Buffer): Versioned {
  if (stored === null) return { version: '', memory: null };
  const version = stored.slice(0, VERSION_LENGTH);
  const end = stored.lastIndexOf('\n');
  const text = stored.slice(0, Math.max(end, 0));
  const code = codeOf(name, text, key);
  const given = Buffer.from(stored.slice(end + 1), 'base64url');
  if (given.length !== code.length || !timingSafeEqual(given, code)) return { version, memory: null };
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
const isNote = recordOf<Note>({
  kind: (value) => ['refused', 'risky', 'left'].includes(value as string),
  agent: isText,
  session: isText,
  parent: isText,
  group: isText,
  things: listOf(isText),
  places: listOf(isText),
  classes: listOf(isText),
  at: isNumber,
  is_by_person: isFlag,
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
  read_at: listOf(tupleOf(isText, isNumber)),
  wrote: listOf(isText),
  task: listOf(isText),
  last: listOf(isAction),
  trouble_at: isNumber,
  told: listOf(isText),
  inherited: listOf(isText),
  notes: listOf(isNote),
});

function isMemory(value: unknown): value is Memory {
  return hasMembers(value);
}
