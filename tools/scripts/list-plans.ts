/**
 * Writes `bench/results/<today>-list-plans.md`: the plans of the summary and of pages of a list over a million events, as
 * `explain analyze` prints them. Fails if a plan reads `events` without an index. Takes two minutes and 3 GB of disk. The
 * findings are in docs/lists.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { prepareCluster } from '../../src/storage/embedded/cluster.ts';
import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { targetOf } from '../../src/storage/embedded/server.ts';
import type { ScoreFilter } from '../../src/storage/ports/storage.ts';
import { connectionConfig } from '../../src/storage/postgres/connection/pool.ts';
import { list } from '../../src/storage/postgres/lists/list.ts';
import { summary } from '../../src/storage/postgres/lists/totals.ts';
import { makeEvents } from './many-events.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const PAGE = resolve(import.meta.dirname, `../../bench/results/${TODAY}-list-plans.md`);
const COUNT = 1_000_000;
/** So that they lie in one month. */
const SECONDS_APART = 2.5;

const HEAD = `# Query plans of lists and totals

Written by \`npx node tools/scripts/list-plans.ts\` on ${TODAY}: the output of \`explain analyze\` for each statement, over 1,000,000 events of one
customer in a month, 120,000 of them held, without vacuum of the events. Durations, and the reason why totals are kept, are in
[decision 2](../../docs/decisions/0002-storage.md); the findings are in [lists.md](../../docs/lists.md). The statements are in
\`src/storage/postgres/lists\` and \`src/storage/postgres/events/place.ts\`.

How to read a list: \`pieces\` adds up the totals by day, \`hour\` those of one day by hour, \`spans\` those of one hour by five seconds. So of
\`events\` itself a list reads at most the events of five seconds and one page, through an index; the rows of the page are fetched by
key. No plan has a \`Seq Scan\` of \`events\`; steps that were never executed are left out.
`;

const depthOf = (line: string): number => line.search(/\S/);

/** Without words about memory, and without the steps that were not needed and what is below them: mostly partitions in which nothing had to be looked for. */
function whatRan(plan: readonly string[]): string[] {
  let left_out = Number.POSITIVE_INFINITY;
  return plan.filter((line) => {
    if (/^\s*(Storage|Index Searches):/.test(line)) return false;
    if (depthOf(line) > left_out) return false;
    left_out = line.includes('(never executed)') ? depthOf(line) : Number.POSITIVE_INFINITY;
    return left_out === Number.POSITIVE_INFINITY;
  });
}

/** A pool whose one connection answers with the plan, which it hands to \`tell\`, and with no rows. */
function explaining(client: pg.Client, tell: (plan: string) => void): pg.Pool {
  const connection = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await client.query(
        `explain (analyze, buffers off, costs off, timing off, summary off) ${text}`,
        values,
      );
      tell(whatRan(rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN'])).join('\n'));
      return { rows: [] };
    },
    release() {},
  };
  return { waitingCount: 0, connect: async () => connection } as unknown as pg.Pool;
}

const data_dir = mkdtempSync(join(tmpdir(), 'weir-plans-'));
try {
  const storage = await openEmbedded(data_dir);
  const target = targetOf(await prepareCluster(data_dir), 'weir-plans');
  const { customer_id, middle } = await makeEvents(target, COUNT, SECONDS_APART);
  const client = new pg.Client(connectionConfig(target));
  await client.connect();
  const parts = [HEAD];
  const explain = async (title: string, read: (pool: pg.Pool) => Promise<unknown>): Promise<void> => {
    const told = await new Promise<string>((tell, fail) => void read(explaining(client, tell)).catch(fail));
    const plan = told.replaceAll(`'${customer_id}'::uuid`, '$1');
    if (/Seq Scan on events/.test(plan)) throw new Error(`${title}: reads all events\n${plan}`);
    parts.push(`## ${title}\n\n\`\`\`\n${plan}\n\`\`\`\n`);
  };
  const page = async (title: string, filter: ScoreFilter, which: 'first' | 'middle' | 'last'): Promise<void> => {
    const { total } = await storage.scores.list(customer_id, filter, 1, 1);
    const last = Math.ceil(total / 100);
    const number = { first: 1, middle: Math.ceil(last / 2), last }[which];
    await explain(`${title}: page ${number} of ${last}`, (pool) => list(pool, customer_id, filter, number, 100));
  };
  await explain('The summary', (pool) => summary(pool, customer_id));
  await page('All', {}, 'first');
  await page('All', {}, 'middle');
  await page('Critical', { risk_level: 'critical' }, 'last');
  await page('From the middle on, low', { from_date: middle, risk_level: 'low' }, 'middle');
  await page('Held', { hold: 'held' }, 'last');
  await page('Expired, from the middle on, low', { hold: 'expired', from_date: middle, risk_level: 'low' }, 'middle');
  writeFileSync(PAGE, parts.join('\n'));
  console.log(`wrote ${PAGE}`);
  await client.end();
  await storage.close();
} finally {
  rmSync(data_dir, { recursive: true, force: true });
}
