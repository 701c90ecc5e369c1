/**
 * The life of one hold, in a process that may be killed at any step: `hold-child.ts <database url> <customer_id> <event_id>
 * <approve|expire> <ours|naive>`. It says `ready` over IPC, goes when it hears anything, and ends by itself when nobody kills
 * it. `naive` changes a row and publishes afterwards, as one writes it first.
 */
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { by, issue, makeAuth } from '../auth/support.ts';
import { makeRecord } from '../contract/start.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';

type Ending = 'approve' | 'expire';
const [url, customer_id, event_id, ending, design] = process.argv.slice(2) as [string, string, string, Ending, string];

async function ours(): Promise<() => Promise<void>> {
  const storage = await openPostgres(url, WIDE_LIMITS);
  const auth = makeAuth(storage);
  const ttl_minutes = ending === 'expire' ? 0 : 5;
  return async () => {
    await storage.scores.record(
      makeRecord(customer_id, { event_id, score: 90, hold: { ttl_minutes, action_hash: 'h' } }),
    );
    if (ending === 'expire') await storage.holds.expire(10);
    else {
      const { token } = await issue(auth, 'override', { customer_id, event_id, allowed_decisions: ['approve'] });
      await auth.decide(event_id, { override_token: token, decision: 'approve', reason: null }, by);
    }
    await storage.close();
  };
}

async function naive(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const publish = (type: string, state: string | null) =>
    client.query('select publish_message($1, $2, $3, $4)', [customer_id, type, event_id, JSON.stringify({ state })]);
  const state = ending === 'expire' ? 'expired' : 'approved';
  return async () => {
    await client.query(`insert into naive_holds values ($1, $2, 'held')`, [customer_id, event_id]);
    await publish('event.held', null);
    await client.query('update naive_holds set state = $2 where event_id = $1', [event_id, state]);
    await publish('event.decided', state);
    await client.end();
  };
}

const live = await (design === 'naive' ? naive() : ours());
process.once('message', async () => {
  await live();
  process.disconnect();
});
process.send!('ready');
