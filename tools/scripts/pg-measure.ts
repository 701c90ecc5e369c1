/**
 * Measures the embedded store on this machine, in one run so that its figures may be compared: starts, writes grouped
 * and one by one, reads over a million events of one customer (`--rows 0` leaves those out). About four minutes, 5 GB of disk.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { targetOf } from '../../src/storage/embedded/server.ts';
import type { ScoreFilter, Storage } from '../../src/storage/ports/storage.ts';
import { createPool, type Target } from '../../src/storage/postgres/connection/pool.ts';
import { groupCommit } from '../../src/storage/postgres/events/group-commit.ts';
import { ruleTextStore } from '../../src/storage/postgres/events/rule-texts.ts';
import { type Row, writeGroup } from '../../src/storage/postgres/events/write-group.ts';
import { makeRecord } from '../../test/contract/start.ts';
import { makeEvents } from './many-events.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const data_dir = mkdtempSync(join(tmpdir(), 'weir-measure-'));
/** Written by each number of callers. */
const GROUPED_EVENTS = 12_000;
const one_row = { groups: 3, rows: 1, bytes: 1, waiting_rows: 10_000, waiting_bytes: 2 ** 30, wait_ms: 60_000 };

function say(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(44)} ${figure.toFixed(figure < 10 ? 1 : 0).padStart(8)} ${unit}`);
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/**
 * Milliseconds of processor time of the server's processes until now, those included that write behind the writers' backs.
 * Linux alone can tell; NaN elsewhere.
 */
function serverTime(data_dir: string): number {
  if (process.platform !== 'linux') return Number.NaN;
  const server = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]!;
  const times = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        // After the name in brackets: state, parent; twelfth and thirteenth the ticks of 10 ms, of its own and for it.
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return pid === server || fields[1] === server ? (Number(fields[11]) + Number(fields[12])) * 10 : 0;
      } catch {
        // It has ended since.
        return 0;
      }
    });
  return times.reduce((sum, time) => sum + time, 0);
}

/** Events a second from callers that each wait for their answer; an event and its assessment are 3.7 kB of JSON. */
async function writeRate(
  record: ReturnType<typeof groupCommit>['record'],
  callers: number,
  count: number,
): Promise<number> {
  let left = count;
  const text = 'the agent reads the invoices of the last quarter '.repeat(60);
  const call = async () => {
    while (left > 0) {
      left -= 1;
      await record(makeRecord(randomUUID(), { text }));
    }
  };
  const [ms] = await timed(() => Promise.all(Array.from({ length: callers }, call)));
  return count / (ms / 1_000);
}

/** Reads over `count` events of a new customer that are `seconds` apart. */
async function readMillion({ scores }: Storage, target: Target, count: number, seconds: number): Promise<void> {
  const { customer_id, middle } = await makeEvents(target, count, seconds);
  console.log(`${count} events, one every ${seconds} s`);
  const filters: Record<string, ScoreFilter> = {
    all: {},
    'level none': { risk_level: 'none' },
    'level critical': { risk_level: 'critical' },
    'second half': { from_date: middle },
    'first half, low': { to_date: middle, risk_level: 'low' },
    'second half, critical': { from_date: middle, risk_level: 'critical' },
    held: { hold: 'held' },
    expired: { hold: 'expired' },
    'second half, expired, low': { from_date: middle, hold: 'expired', risk_level: 'low' },
  };
  await sayMedian('summary', () => scores.summary(customer_id));
  for (const [name, filter] of Object.entries(filters)) {
    const { total } = await scores.list(customer_id, filter, 1, 1);
    const last = Math.max(1, Math.ceil(total / 100));
    for (const [where, page] of Object.entries({ first: 1, middle: Math.ceil(last / 2), last })) {
      await sayMedian(`${name}: ${where} page of 100`, () => scores.list(customer_id, filter, page, 100));
    }
  }
}

async function sayMedian(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) times.push((await timed(read))[0]);
  say(`  ${name}`, times.sort((a, b) => a - b)[4]!, `ms, slowest ${times[8]!.toFixed(1)}`);
}

try {
  const [first, fresh] = await timed(() => openEmbedded(data_dir));
  say('first start', first, 'ms');
  const [stop] = await timed(() => fresh.close());
  say('stop', stop, 'ms');
  const [later, storage] = await timed(() => openEmbedded(data_dir));
  say('later start', later, 'ms');
  const target = targetOf(await prepareCluster(data_dir), 'weir-measure');
  const pool = createPool(target, 3);
  const write = (rows: Row[]) => writeGroup({ pool, texts: ruleTextStore(pool), makePartitions: async () => {} }, rows);
  await writeRate(groupCommit(write).record, 64, 2_000);
  const single = await writeRate(groupCommit(write, one_row).record, 64, 3_000);
  say('writes one by one, 3 connections', single, 'events/s');
  for (const callers of [32, 128, 512]) {
    const before = serverTime(data_dir);
    const rate = await writeRate(groupCommit(write).record, callers, GROUPED_EVENTS);
    const us = ((serverTime(data_dir) - before) * 1_000) / GROUPED_EVENTS;
    say(`writes grouped, ${callers} callers`, rate, `events/s, ratio ${(rate / single).toFixed(1)}`);
    say("  the server's processor time", us, 'µs an event');
  }
  await pool.end();

  // Over almost three years, over a month, and all of them within the hour.
  if (Number(values.rows) > 0)
    for (const seconds of [90, 3, 0.003]) await readMillion(storage, target, Number(values.rows), seconds);
  await storage.close();
} finally {
  rmSync(data_dir, { recursive: true, force: true });
}
