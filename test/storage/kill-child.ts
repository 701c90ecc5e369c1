/**
 * Writes to the embedded store in argv[2] from many callers until it is killed, and prints each event_id once the store
 * has answered for it. With ACKNOWLEDGE_EARLY=1 it prints them before: a service that answers too early, which the test
 * must find out.
 */

import { openEmbedded } from '../../src/storage/embedded/index.ts';
import { makeRecord } from '../contract/start.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

const [, , data_dir, customer_id] = process.argv;
const CALLERS = 100;
const is_early = process.env['ACKNOWLEDGE_EARLY'] === '1';
const storage = await openEmbedded(data_dir!, WIDE_LIMITS);

async function writeForEver(): Promise<void> {
  for (;;) {
    const record = makeRecord(customer_id!, { score: Math.floor(Math.random() * 101) });
    // To a pipe Node writes at once: what was printed has left this process.
    const acknowledge = () => process.stdout.write(`${record.event_id}\n`);
    if (is_early) acknowledge();
    const outcome = await storage.scores.record(record).catch(() => null);
    if (outcome?.kind === 'stored' && !is_early) acknowledge();
    // While the database is away, callers come back later.
    if (outcome === null) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

await Promise.all(Array.from({ length: CALLERS }, writeForEver));
