/**
 * Memories of agents and sessions in Redis, as `version JSON`. A change is made here and written only where the version
 * is still the one that it was made from, so that nodes never overwrite each other; the loser reads again. What this
 * process knows of a version already is not sent and parsed again.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Bag } from '../../scoring/history/bag.ts';
import { type Hours, noHours } from '../../scoring/history/hours.ts';
import type { LastAction, Memory } from '../../scoring/history/memory.ts';
import type { Pace } from '../../scoring/history/pace.ts';
import { memorySize } from '../memory-size.ts';
import { type MemoryCache, StoreUnavailable } from '../ports.ts';

const VERSION_BYTES = 12;
const VERSION_LENGTH = 2 * VERSION_BYTES;
/** Each round one of those that race wins; a loser waits a little, by chance, so that no node always loses. */
const MAX_ROUNDS = 30;
const MAX_PAUSE_MS = 8;
/** About 5,000 memories. */
const MAX_KNOWN_BYTES = 50_000_000;

/** KEYS: memories. ARGV: for each the version that is known, '' for none. Answers the text, or 1 for a known version. */
const READ = `
local texts = {}
for i, key in ipairs(KEYS) do
  local text = redis.call('get', key)
  texts[i] = text and ARGV[i] ~= '' and string.sub(text, 1, ${VERSION_LENGTH}) == ARGV[i] and 1 or text
end
return texts`;

/** KEYS: the memory. ARGV: version it was made from ('' for none), new text, milliseconds to live. Answers 1 when written. */
const REPLACE = `
local version = redis.call('getrange', KEYS[1], 0, ${VERSION_LENGTH - 1})
if version ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
return 1`;

interface Versioned {
  /** '' for a memory that is not there. */
  version: string;
  memory: Memory | null;
}

/** `ask` bounds the time of a command and turns its failure into `StoreUnavailable`. */
export function redisMemories(redis: Redis, ask: <T>(command: () => Promise<T>) => Promise<T>): MemoryCache {
  const known = new LRUCache<string, Versioned>({
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ memory }) => (memory === null ? 1 : memorySize(memory)),
  });

  async function readAll(keys: readonly string[]): Promise<Versioned[]> {
    const here = keys.map((key) => known.get(key));
    const versions = here.map((one) => one?.version ?? '');
    const answers = (await ask(() => redis.eval(READ, keys.length, ...keys, ...versions))) as (string | 1 | null)[];
    return keys.map((key, i) => {
      const answer = answers[i] ?? null;
      if (answer === 1) return here[i]!;
      const read = parse(answer);
      if (read.memory === null) known.delete(key);
      else known.set(key, read);
      return read;
    });
  }

  /** Whether it was written, or nothing was to be written. */
  async function tryUpdate(
    key: string,
    change: (memory: Memory | null) => Memory | null,
    ttl_ms: number,
  ): Promise<boolean> {
    const before = known.get(key) ?? (await readAll([key]))[0]!;
    // It may be altered now, and is of no version until it is written.
    known.delete(key);
    const memory = change(before.memory);
    if (memory === null) return true;
    const version = randomBytes(VERSION_BYTES).toString('hex');
    const text = `${version} ${JSON.stringify(memory)}`;
    const answer = await ask(() => redis.eval(REPLACE, 1, key, before.version, text, Math.ceil(ttl_ms)));
    if (answer === 1) known.set(key, { version, memory });
    return answer === 1;
  }

  return {
    async read(keys) {
      return (await readAll(keys)).map(({ memory }) => memory);
    },
    async update(key, change, ttl_ms) {
      for (let round = 1; round <= MAX_ROUNDS; round += 1) {
        if (await tryUpdate(key, change, ttl_ms)) return;
        await sleep(Math.random() * Math.min(round, MAX_PAUSE_MS));
      }
      throw new StoreUnavailable('a memory is changed by too many nodes at the same time');
    },
  };
}

/** What is not ours, such as a text of an older version, counts as nothing and is made again, over this version. */
function parse(text: string | null): Versioned {
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

/** A check for each member, so that none that the type gets later is forgotten here. */
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
  n: isNumber,
  latest: isText,
  actions: isBag,
  resources: isBag,
  places: isBag,
  pace: isPace,
  hours: isHours,
  claimed_hours: isHours,
  classes: listOf(isText),
  task: listOf(isText),
  last: listOf(isAction),
  trouble_at: isNumber,
});

function isMemory(value: unknown): value is Memory {
  return hasMembers(value);
}
