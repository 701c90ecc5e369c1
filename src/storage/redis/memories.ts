/**
 * Memories of agents and sessions in Redis, as `version JSON` with a message authentication code. A change is computed here and written only where the
 * version is still the one it was computed from, so that nodes never overwrite each other; the loser reads again. A
 * version that this process has cached is not sent and parsed again.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../platform/errors.ts';
import type { Memory } from '../../scoring/history/memory.ts';
import { memorySize } from '../memory/memories.ts';
import type { MemoriesShared, MemoryCache, SecondCount } from '../ports/cache.ts';
import { parseMemory, VERSION_BYTES, VERSION_LENGTH, type Versioned, writeMemory } from './parse-memory.ts';

/** Each round has one winner; a loser waits for a random time, so that no node always loses. */
const MAX_ROUNDS = 30;
const MAX_PAUSE_MS = 8;
/** About 5,000 memories. */
const MAX_KNOWN_BYTES = 50_000_000;

/** KEYS: memories. ARGV: the cached version of each, '' for none. Returns the text, or 1 for a cached version. */
const READ = `
local texts = {}
for i, key in ipairs(KEYS) do
  local text = redis.call('get', key)
  texts[i] = text and ARGV[i] ~= '' and string.sub(text, 1, ${VERSION_LENGTH}) == ARGV[i] and 1 or text
end
return texts`;

/**
 * KEYS: the memory. ARGV: version it was computed from ('' for none), new text, milliseconds to live. Returns 1 when
 * written.
 */
const REPLACE = `
local version = redis.call('getrange', KEYS[1], 0, ${VERSION_LENGTH - 1})
if version ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
return 1`;

/** More than the beginning of a text up to its seconds. */
const HEAD_LENGTH = 400;
/** Memories in one call, so that it does not block other commands. */
const COMPARED_AT_ONCE = 200;
/** The progress of the comparison is kept as long as the memories. */
const COMPARED_TTL_MS = 7 * 86_400_000;

/**
 * KEYS: memories. ARGV: for each `[second,count]` that it should have, separated by spaces. Removes those that lack any
 * and returns how many. Only the beginning of a text, up to `n`, is searched: the rest holds callers' words.
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

/**
 * KEYS: the turn, the progress. ARGV: caller, duration. A cache that is full cannot record progress, and can be
 * compared all the same.
 */
const TAKE_TURN = `
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return false end
redis.pcall('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return redis.call('get', KEYS[2]) or ''`;

/** KEYS: the progress. ARGV: from ('' for none), to, milliseconds to live. */
const MOVE_ON = `
if (redis.call('get', KEYS[1]) or '') == ARGV[1] then redis.pcall('set', KEYS[1], ARGV[2], 'px', ARGV[3]) end
return 0`;

/**
 * `ask` bounds the time of a command and turns its failure into `StoreUnavailable`. `memory_key` authenticates what is
 * stored; the same on every node, and unknown to Redis.
 */
export function redisMemories(
  redis: Redis,
  ask: <T>(command: () => Promise<T>) => Promise<T>,
  memory_key: () => Promise<Buffer>,
): MemoryCache {
  const known = new LRUCache<string, Versioned>({
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ memory }) => (memory === null ? 1 : memorySize(memory)),
  });

  async function readAll(keys: readonly string[]): Promise<Versioned[]> {
    const here = keys.map((key) => known.get(key));
    const versions = here.map((one) => one?.version ?? '');
    const secret = await memory_key();
    const answers = (await ask(() => redis.eval(READ, keys.length, ...keys, ...versions))) as (string | 1 | null)[];
    return keys.map((key, i) => {
      const answer = answers[i] ?? null;
      if (answer === 1) return here[i]!;
      const read = parseMemory(key, answer, secret);
      if (read.memory === null) known.delete(key);
      else known.set(key, read);
      return read;
    });
  }

  /** Whether it was written, or nothing had to be written. */
  async function tryUpdate(
    key: string,
    change: (memory: Memory | null) => Memory | null,
    ttl_ms: number,
  ): Promise<boolean> {
    const before = known.get(key) ?? (await readAll([key]))[0]!;
    // It may be modified now, and has no version until it is written.
    known.delete(key);
    const memory = change(before.memory);
    if (memory === null) return true;
    const version = randomBytes(VERSION_BYTES).toString('hex');
    const text = writeMemory(key, version, memory, await memory_key());
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
      throw new StoreUnavailable('too many nodes change this memory at the same time');
    },
  };
}

/** The counts that each memory should have, in the script's form. */
function wantedOf(counts: readonly SecondCount[]): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const { key, second, n } of counts) {
    const before = wanted.get(key);
    wanted.set(key, `${before === undefined ? '' : `${before} `}[${second},${n}]`);
  }
  return wanted;
}
