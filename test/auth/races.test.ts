/**
 * Two processes against one PostgreSQL: derive against cascade, rotate against rotate, bursts on one session, approve
 * against reject, a decision against the end of its hold. Each race is also run against the way one writes it first, which must lose: a race that no design loses proves nothing.
 * `TEST_ROUNDS=2000` for the long run.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import { makeRecord } from '../contract/start.ts';
import { programOf } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';
import { connectTo, makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { WIDE_LIMITS } from '../support/wide-limits.ts';
import { masterKey } from '../webhooks/worker-support.ts';
import type { Operations } from './race-child.ts';
import { by, issue, makeAuth, makeFamily, sessionOf, subagentOf } from './support.ts';

const RACES = rounds(25);
/** `TEST_ROUNDS=2000` for the long run. */
const DECISION_RACES = rounds(50);
const CHILD = programOf('test/auth/race-child.ts');

const NAIVE = `
  create table naive_tokens (jti uuid primary key, parent_jti uuid, is_alive boolean not null default true);
  create table naive_keys (key_id uuid primary key, customer_id uuid, is_active boolean not null default true);
  create table naive_holds (event_id uuid primary key, state text not null default 'held');
  create table naive_messages (event_id uuid, state text);
  create table naive_usage (jti uuid primary key, max_events integer not null, used integer not null default 0);`;

interface Racer {
  call<Name extends keyof Operations>(name: Name, ...args: Parameters<Operations[Name]>): ReturnType<Operations[Name]>;
  stop(): Promise<void>;
}

async function startRacer(url: string): Promise<Racer> {
  const child: ChildProcess = fork(CHILD, [url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    const call = waiting.get(id)!;
    waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  });
  return {
    call: ((name: string, ...args: unknown[]) => {
      const call = Promise.withResolvers<unknown>();
      waiting.set(++calls, call);
      child.send({ id: calls, name, args });
      return call.promise;
    }) as Racer['call'],
    stop: async () => {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

describe('races of two processes', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let storage: Storage;
  let racers: [Racer, Racer];
  before(async () => {
    database = await makeDatabase();
    storage = await openPostgres(database.url, WIDE_LIMITS);
    await database.run(NAIVE);
    racers = [await startRacer(database.url), await startRacer(database.url)];
  });
  after(async () => {
    for (const racer of racers ?? []) await racer.stop();
    await storage?.close();
    await database?.drop();
  });

  test(`no cascade of ${RACES} leaves a live orphan, and each is listed`, async () => {
    const auth = makeAuth(storage);
    const [left, right] = racers;
    let derived_in_time = 0;
    for (let n = 0; n < RACES; n += 1) {
      const { customer_id, bearer, agent } = await makeFamily(auth);
      const below = await subagentOf(auth, customer_id, agent.jti);
      const cascading = n % 2 === 0 ? left : right;
      const [a, b, ended] = await Promise.all([
        left.call('derive', customer_id, agent.jti),
        right.call('derive', customer_id, below.jti),
        cascading.call('cascade', agent.jti),
      ]);
      const { nodes } = await storage.auth.tokens.tree(agent.jti, 100);
      const alive = nodes.filter(({ state }) => state === 'active').map(({ kind }) => kind);
      assert.deepEqual(alive, ['app', 'bearer'], `race ${n}`);
      const made = [a, b].filter((jti) => jti !== null);
      derived_in_time += made.length;
      assert.deepEqual(ended.toSorted(), [agent.jti, below.jti, ...made].toSorted(), `race ${n}`);
      assert.ok(!ended.includes(bearer.jti));
    }
    // Otherwise nothing raced.
    assert.ok(derived_in_time > 0 && derived_in_time < 2 * RACES, String(derived_in_time));
  });

  test('the same race leaves orphans where one looks and then acts', async () => {
    const [left, right] = racers;
    let orphaned = 0;
    for (let n = 0; n < 40; n += 1) {
      const [agent, below, a, b] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
      await database.run('insert into naive_tokens (jti, parent_jti) values ($1, null), ($2, $1)', [agent, below]);
      await Promise.all([
        left.call('naive_derive', a, agent),
        right.call('naive_derive', b, below),
        (n % 2 === 0 ? left : right).call('naive_cascade', agent),
      ]);
      const alive = await database.run('select from naive_tokens where jti = any($1) and is_alive', [[a, b]]);
      if (alive.length > 0) orphaned += 1;
    }
    assert.ok(orphaned > 0, 'the race is too slow to show anything');
  });

  test(`${RACES} rotations by both at once: one key is active at every read`, async () => {
    const auth = makeAuth(storage);
    const customer_id = randomUUID();
    let active = await auth.keys.create(customer_id, by).then(({ key_id }) => key_id);
    const reading = await connectTo(database.url);
    let is_done = false;
    let reads = 0;
    const reader = (async () => {
      while (!is_done) {
        const { rows } = await reading.query(
          `select key_id from signing_keys where customer_id = $1 and state = 'active'`,
          [customer_id],
        );
        assert.equal(rows.length, 1);
        reads += 1;
      }
    })();
    try {
      for (let n = 0; n < RACES; n += 1) {
        const made = await Promise.all(racers.map((racer) => racer.call('rotate', customer_id, active)));
        const winners = made.filter((key_id) => key_id !== null);
        assert.equal(winners.length, 1, `race ${n}`);
        active = winners[0]!;
      }
    } finally {
      is_done = true;
      await reader;
      await reading.end();
    }
    assert.ok(reads > RACES / 4, String(reads));
  });

  test('the same race leaves two active keys where one looks and then acts', async () => {
    const doubled: boolean[] = [];
    for (let n = 0; n < 20; n += 1) {
      const customer_id = randomUUID();
      await Promise.all(racers.map((racer) => racer.call('naive_rotate', customer_id, randomUUID())));
      const active = await database.run('select from naive_keys where customer_id = $1 and is_active', [customer_id]);
      doubled.push(active.length > 1);
    }
    assert.ok(doubled.includes(true));
  });

  test(`${Math.ceil(RACES / 2)} sessions in bursts are never over their limit`, async () => {
    const auth = makeAuth(storage);
    const { customer_id, agent } = await makeFamily(auth);
    for (let n = 0; n < RACES / 2; n += 1) {
      const max_events = 1 + (n % 7);
      const { jti } = await sessionOf(auth, customer_id, agent.jti, { max_events });
      const counted = await Promise.all(Array.from({ length: 16 }, (_, i) => racers[i % 2]!.call('count', jti)));
      assert.equal(counted.filter(Boolean).length, max_events, `race ${n}`);
      assert.deepEqual(await storage.auth.tokens.usage(jti), { used: max_events, max_events });
    }
  });

  test('the same bursts are over the limit where one looks and then acts', async () => {
    let over = 0;
    for (let n = 0; n < 10; n += 1) {
      const jti = randomUUID();
      await database.run('insert into naive_usage (jti, max_events) values ($1, 3)', [jti]);
      const counted = await Promise.all(Array.from({ length: 16 }, (_, i) => racers[i % 2]!.call('naive_count', jti)));
      if (counted.filter(Boolean).length > 3) over += 1;
    }
    assert.ok(over > 0);
  });

  test(`of ${DECISION_RACES} races approve against reject each has one winner, and the record agrees`, async () => {
    const auth = makeAuth(storage);
    const [left, right] = racers;
    const { customer_id } = await makeFamily(auth);
    for (let n = 0; n < DECISION_RACES; n += 1) {
      const record = makeRecord(customer_id, { score: 90, hold: { ttl_minutes: 5, action_hash: 'h' } });
      const { event_id } = record;
      await storage.scores.record(record);
      const body = { customer_id, event_id, allowed_decisions: ['approve', 'reject'] };
      const { token } = await issue(auth, 'override', body);
      const [approved, rejected] = await Promise.all([
        left.call('decide', event_id, token, 'approve'),
        right.call('decide', event_id, token, 'reject'),
      ]);
      assert.notEqual(approved, rejected, `race ${n}`);
      const found = await storage.holds.find(customer_id, event_id);
      assert.equal(found?.hold?.state, approved ? 'approved' : 'rejected', `race ${n}`);
    }
    const lines = await storage.auth.audit.list(customer_id, 2 ** 40, 10 * DECISION_RACES + 100);
    assert.equal(lines.filter(({ action }) => action === 'event.decided').length, DECISION_RACES);
  });

  test(`of ${DECISION_RACES} decisions in the moment their hold expires each hold ends once, with one message that agrees`, async () => {
    const auth = makeAuth(storage);
    const [left, right] = racers;
    const { customer_id } = await makeFamily(auth);
    const webhooks = createWebhooks({
      store: storage.webhooks,
      master_key: masterKey(),
      allow_private: true,
      has_mail: false,
    });
    await webhooks.register({ customer_id, endpoint_url: 'https://hooks.example.com/in' }, by);
    const states = new Map<string, string>();
    for (let n = 0; n < DECISION_RACES; n += 1) {
      const record = makeRecord(customer_id, { score: 90, hold: { ttl_minutes: 5, action_hash: 'h' } });
      const { event_id } = record;
      await storage.scores.record(record);
      const { token } = await issue(auth, 'override', { customer_id, event_id, allowed_decisions: ['approve'] });
      // Some holds stay open long enough for a decision on a busy machine, so that both sides win now and then.
      const left_ms = n % 10 === 1 ? 2_000 : n % 20;
      await database.run(`update holds set expires_at = clock_timestamp() + $2 * interval '1 ms' where event_id = $1`, [
        event_id,
        left_ms,
      ]);
      const deciding = left.call('decide', event_id, token, 'approve');
      const isOpen = async () => (await storage.holds.find(customer_id, event_id))?.hold?.state === 'held';
      while (await isOpen()) await Promise.all([left.call('expire'), right.call('expire')]);
      const is_approved = await deciding;
      await Promise.all([left.call('expire'), right.call('expire')]);
      const state = (await storage.holds.find(customer_id, event_id))!.hold!.state;
      assert.equal(state, is_approved ? 'approved' : 'expired', `race ${n}`);
      states.set(event_id, state);
    }
    const told = await database.run(
      `select subject, sequence, body -> 'data' ->> 'state' as state from webhook_messages
       where customer_id = $1 and type = 'event.decided' order by created_at`,
      [customer_id],
    );
    assert.deepEqual(
      told,
      [...states].map(([subject, state]) => ({ subject, sequence: 2, state })),
    );
    assert.deepEqual(new Set(states.values()), new Set(['approved', 'expired']), 'both must win now and then');
  });

  test('the same race tells some end twice where one looks, then updates, then tells', async () => {
    const [left, right] = racers;
    let twice = 0;
    await database.run('truncate naive_holds');
    for (let n = 0; n < 50; n += 1) {
      const event_id = randomUUID();
      await database.run('insert into naive_holds (event_id) values ($1)', [event_id]);
      await Promise.all([left.call('naive_expire'), right.call('naive_expire')]);
      const told = await database.run('select from naive_messages where event_id = $1', [event_id]);
      if (told.length > 1) twice += 1;
    }
    assert.ok(twice > 0, 'the race is one');
  });

  test('the same race has two winners where one looks and then updates', async () => {
    const [left, right] = racers;
    let both = 0;
    for (let n = 0; n < 50; n += 1) {
      const event_id = randomUUID();
      await database.run('insert into naive_holds (event_id) values ($1)', [event_id]);
      const won = await Promise.all([
        left.call('naive_decide', event_id, 'approved'),
        right.call('naive_decide', event_id, 'rejected'),
      ]);
      if (won[0] && won[1]) both += 1;
    }
    assert.ok(both > 0, 'the race is one');
  });
});
