/**
 * Memories of agents and sessions in Redis, as `version JSON`. A change is made here and written only where the version
 * is still the one that it was made from, so that nodes never overwrite each other; the loser reads again. What this
 * process knows of a version already is not sent and parsed again.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../platform/errors.ts';
import type { Memory } from '../../scoring/history/memory.ts';
import { memorySize } from '../memory-size.ts';
import type { MemoriesShared, MemoryCache, SecondCount } from '../ports/cache.ts';
import { parseMemory, VERSION_BYTES, VERSION_LENGTH, type Versioned } from './parse-memory.ts';

/** In each round one of those that race wins; a loser waits for a random moment, so that no node always loses. */
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

/** More than the beginning of a text up to its seconds. */
const HEAD_LENGTH = 400;
/** Memories in one question, so that it keeps nobody waiting. */
const COMPARED_AT_ONCE = 200;
/** How far memories are compared is kept as long as they are. */
const COMPARED_TTL_MS = 7 * 86_400_000;

/**
 * KEYS: memories. ARGV: for each `[second,count]` of what it should have, with spaces between. Removes those that lack any and
 * answers how many. Only the beginning of a text is looked at, up to `n`: in what follows are words of callers.
 */
const REMOVE_SHORT = `
local removed = 0
for i, key in ipairs(KEYS) do
  local head = redis.call('getrange', key, 0, ${HEAD_LENGTH - 1})
  if head ~= '' then
    local ending = string.find(head, '],"n":', 1, true) or 0
    for wanted in string.gmatch(ARGV[i], '%S+') do
      local at = string.find(head, wanted, 1, true)
      if not at or at > ending then
        local from = tonumber(string.match(head, '^%x+ {"counted_from":(%d+),') or 0)
        if tonumber(string.match(wanted, '%d+')) >= from then
          redis.call('unlink', key)
          removed = removed + 1
          break
        end
      end
    end
  end
end
return removed`;

/** KEYS: whose turn it is, how far they came. ARGV: who asks, for how long. A cache that is full takes no note, and can be compared all the same. */
const TAKE_TURN = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return false end
redis.pcall('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return redis.call('get', KEYS[2]) or ''`;

/** KEYS: how far they came. ARGV: from ('' for nowhere), to, milliseconds to live. */
const MOVE_ON = `
if (redis.call('get', KEYS[1]) or '') == ARGV[1] then redis.pcall('set', KEYS[1], ARGV[2], 'px', ARGV[3]) end
return 0`;

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
      const read = parseMemory(answer);
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

  const id = randomBytes(VERSION_BYTES).toString('hex');
  const turnKey = (origin: string): string => `memories:${origin}:turn`;
  const comparedKey = (origin: string): string => `memories:${origin}:compared`;

  const shared: MemoriesShared = {
    async takeTurn(origin, lease_ms) {
      const keys = [turnKey(origin), comparedKey(origin)];
      const answer = (await ask(() => redis.eval(TAKE_TURN, 2, ...keys, id, lease_ms))) as string | null;
      return answer === null ? null : { compared_to: answer === '' ? null : Number(answer) };
    },
    async removeShort(counts) {
      const wanted = [...wantedOf(counts)];
      let removed = 0;
      for (let at = 0; at < wanted.length; at += COMPARED_AT_ONCE) {
        const part = wanted.slice(at, at + COMPARED_AT_ONCE);
        const parameters = [...part.map(([key]) => key), ...part.map(([, seconds]) => seconds)];
        removed += Number(await ask(() => redis.eval(REMOVE_SHORT, part.length, ...parameters)));
      }
      return removed;
    },
    async moveOn(origin, from, to) {
      await ask(() => redis.eval(MOVE_ON, 1, comparedKey(origin), from ?? '', to, COMPARED_TTL_MS));
    },
  };

  return {
    shared,
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

/** What each memory should have, as the script reads it. */
function wantedOf(counts: readonly SecondCount[]): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const { key, second, n } of counts) {
    const before = wanted.get(key);
    wanted.set(key, `${before === undefined ? '' : `${before} `}[${second},${n}]`);
  }
  return wanted;
}
