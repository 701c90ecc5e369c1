/**
 * `kill -9` between any two steps of a hold's life. The steps are what a process says to its database: each of them is
 * killed on its way, and after it took effect but before its answer came. Whatever died, every change of a hold has its message,
 * no message is about a change that did not happen, and each is delivered at least once, under one id. The design that
 * publishes after the change is shown to lose one. `TEST_ROUNDS` sets how often the whole service is killed (default 3).
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { makeAuth, makeFamily } from '../auth/support.ts';
import { call } from '../support/client.ts';
import { programOf } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { answers, type Receiver, startReceiver, until } from '../webhooks/receiver.ts';
import { type Bench, openBench } from '../webhooks/worker-support.ts';

const CHILD = programOf('test/faults/hold-child.ts');
const ROUNDS = rounds(3);

/** `lost`: the step never arrives. `unanswered`: it takes effect, and who asked for it is dead before the answer comes. */
type Death = 'lost' | 'unanswered';

/** Between a process and its database; counts what the process says, and kills it over the step that it is told. */
async function startReaper(url: string) {
  const target = new URL(url);
  const real = { host: target.hostname, port: Number(target.port || 5432) };
  let steps = 0;
  let plan: { child: ChildProcess; step: number; death: Death } | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(real);
    let is_greeted = false;
    let is_doomed = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
    }
    client.on('data', (data) => {
      // What a new connection says first is not a step.
      if (is_greeted && plan !== null) steps += 1;
      is_greeted = true;
      is_doomed = plan?.step === steps;
      if (is_doomed && plan!.death === 'lost') plan!.child.kill('SIGKILL');
      else upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (is_doomed) plan!.child.kill('SIGKILL');
      else client.write(data);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    /** Kills this child over that step from now on. */
    doom(child: ChildProcess, step: number, death: Death): void {
      [steps, plan] = [0, { child, step, death }];
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Runs one life; whether it was killed before it came to its end. */
async function live(
  url: string,
  names: { customer_id: string; event_id: string; ending: string; design: string },
  step: number,
  death: Death,
): Promise<boolean> {
  const reaper = await startReaper(url);
  try {
    const { customer_id, event_id, ending, design } = names;
    const child = fork(CHILD, [reaper.url, customer_id, event_id, ending, design], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    const start = await Promise.race([once(child, 'message'), ended]);
    assert.equal(start[0], 'ready', 'it must start');
    reaper.doom(child, step, death);
    child.send('go');
    const [code, signal] = await ended;
    assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code}`);
    return signal === 'SIGKILL';
  } finally {
    reaper.close();
  }
}

/** What is told of each hold must be what is written of it. Answers what is not, in words. */
async function faults(database: TestDatabase, customer_id: string, table: string): Promise<string[]> {
  const rows = (await database.run(
    `select event_id, h.state, array(
       select type || coalesce(' ' || (body -> 'data' ->> 'state'), '') from webhook_messages m
       where m.customer_id = $1 and m.subject = event_id order by m.sequence) as told,
       (select count(*)::int from audit_log a
        where a.customer_id = $1 and a.subject = event_id and a.action = 'event.decided') as audited
     from ${table} h full join (select distinct subject as event_id from webhook_messages where customer_id = $1) as s
       using (event_id) where h.customer_id is null or h.customer_id = $1`,
    [customer_id],
  )) as { event_id: string; state: string | null; told: string[]; audited: number }[];
  return rows.flatMap(({ event_id, state, told, audited }) => {
    const due = state === null ? [] : state === 'held' ? ['event.held'] : ['event.held', `event.decided ${state}`];
    const is_audited = table === 'naive_holds' || audited === (state === 'approved' || state === 'rejected' ? 1 : 0);
    const is_told = told.join() === due.join();
    return is_told && is_audited
      ? []
      : [`${event_id} is ${state}, told: ${told.join() || 'nothing'}, audited: ${audited}`];
  });
}

/** Each message arrived, under one id. */
function assertArrived(receiver: Receiver, path: string, written: Record<string, unknown>[]): void {
  const ids = new Map<string, Set<string>>();
  for (const { body, headers } of receiver.at(path)) {
    const { type, data } = JSON.parse(body) as { type: string; data: { event_id: string } };
    const name = `${type} ${data.event_id}`;
    ids.set(name, (ids.get(name) ?? new Set()).add(headers['webhook-id']!));
  }
  const arrived = [...ids].map(([name, set]) => `${name}: ${[...set].join()}`);
  assert.deepEqual(
    arrived.toSorted(),
    written.map((row) => `${row['type']} ${row['subject']}: ${row['message_id']}`).toSorted(),
  );
}

const messagesOf = (database: TestDatabase, customer_id: string) =>
  database.run(
    `select type, subject, message_id from webhook_messages where customer_id = $1 and type like 'event.%'`,
    [customer_id],
  );

describe('kill -9 in the life of a hold', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let bench: Bench;
  let receiver: Receiver;
  before(async () => {
    database = await makeDatabase();
    [bench, receiver] = await Promise.all([openBench(database.url), startReceiver()]);
    await database.run('create table naive_holds (customer_id uuid, event_id text primary key, state text)');
  });
  after(async () => {
    await bench?.storage.close();
    await receiver?.close();
    await database?.drop();
  });

  /** A life for each step and death, until one comes to its end; the states that they were left in. */
  async function killEverywhere(path: string, endings: readonly string[], design: 'ours' | 'naive') {
    const { customer_id } = await makeFamily(makeAuth(bench.storage));
    await bench.register(receiver.url + path, customer_id);
    let kills = 0;
    for (const ending of endings) {
      const liveThrough = async (death: Death): Promise<number> => {
        for (let step = 1; ; step += 1) {
          const event_id = `${ending} ${death} ${step}`;
          if (!(await live(database.url, { customer_id, event_id, ending, design }, step, death))) return step;
          assert.ok(step < 100, 'it never comes to its end');
        }
      };
      const [lost, unanswered] = await Promise.all([liveThrough('lost'), liveThrough('unanswered')]);
      assert.ok(lost > 1 && unanswered > 1, 'nobody was killed');
      kills += lost + unanswered - 2;
    }
    const table = design === 'naive' ? 'naive_holds' : 'holds';
    const states = await database.run(`select distinct state from ${table} where customer_id = $1`, [customer_id]);
    return { customer_id, table, kills, states: states.map(({ state }) => state).toSorted() };
  }

  test('over any word to the database: what is written is told, and nothing else', async (t) => {
    const { customer_id, table, states, kills } = await killEverywhere('/ours', ['approve', 'expire'], 'ours');
    assert.deepEqual(await faults(database, customer_id, table), []);
    assert.deepEqual(states, ['approved', 'expired', 'held'], 'they died in all states');
    t.diagnostic(`killed ${kills} times`);
    const worker = bench.work();
    const written = await messagesOf(database, customer_id);
    try {
      await until(
        () => receiver.at('/ours').length,
        (count) => count >= written.length,
        'all messages',
      );
    } finally {
      await worker.stop(1_000);
    }
    assertArrived(receiver, '/ours', written);
  });

  test('where the message is published after the change, some change is never told', async () => {
    const { customer_id, table } = await killEverywhere('/naive', ['approve'], 'naive');
    const found = await faults(database, customer_id, table);
    assert.ok(
      found.some((fault) => /is held, told: nothing/.test(fault)) &&
        found.some((fault) => /is approved, told: event\.held,/.test(fault)),
      found.join('\n'),
    );
  });
});

describe(`kill -9 of the whole service, ${ROUNDS} times`, { skip: NO_SERVER ?? false }, () => {
  const KEY = {
    BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000bb',
    BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
  };
  const { BOOTSTRAP_CUSTOMER_ID: customer_id, BOOTSTRAP_API_KEY: key } = KEY;

  test('while it holds, decides and delivers: what was answered stands, and all of it is told', async () => {
    const database = await makeDatabase();
    const receiver = await startReceiver();
    const env = {
      ...KEY,
      DATABASE_URL: database.url,
      MASTER_KEY: 'a master key for tests',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    const journal = { held: new Set<string>(), decided: new Map<string, string>() };
    /** Messages that were under way when the service was killed. */
    const cut_off: string[] = [];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const weir = await startWeir({ env });
        if (round === 0) await register(weir, receiver.url);
        const gone = once(weir.child, 'exit');
        const kill = () => weir.child.kill('SIGKILL');
        let seen = 0;
        if (round % 3 === 0) {
          receiver.behave('/in', (request, response) => {
            seen += 1;
            if (seen < 3) return answers(204)(request, response, '/in');
            // Taken, and not answered: nobody can know.
            cut_off.push(String(request.headers['webhook-id']));
            kill();
          });
        }
        const clients = Array.from({ length: 4 }, (_, n) =>
          decideAll(weir, `r${round}c${n}`, journal, () => {
            seen += 1;
            if (round % 3 === 1 && seen === 5) kill();
          }),
        );
        if (round % 3 === 2) setTimeout(kill, 200 + Math.random() * 500);
        await Promise.all([gone, ...clients]);
        receiver.behave('/in', answers(204));
      }
      assert.ok(journal.held.size > ROUNDS && journal.decided.size > 0, 'the load must reach the server');
      // The lease of a worker that is dead, half a minute, is over; some hold ran out.
      await database.run('update webhooks set leased_until = clock_timestamp() where leased_until is not null');
      await database.run(`update holds set expires_at = clock_timestamp() where state = 'held'`);
      const weir = await startWeir({ env });
      await until(
        () => database.run(`select count(*)::int as n from webhook_deliveries where state <> 'delivered'`),
        ([row]) => row!['n'] === 0,
        'everything delivered',
      );
      await until(
        () => database.run(`select count(*)::int as n from holds where state = 'held'`),
        ([row]) => row!['n'] === 0,
        'everything ended',
      );
      await until(
        () => database.run(`select count(*)::int as n from webhook_deliveries where state <> 'delivered'`),
        ([row]) => row!['n'] === 0,
        'every end delivered',
      );
      await weir.stop();
      assert.deepEqual(await faults(database, customer_id, 'holds'), []);
      const states = new Map(
        (await database.run('select event_id, state from holds')).map((row) => [row['event_id'], row['state']]),
      );
      for (const event_id of journal.held) assert.ok(states.has(event_id), `${event_id} was answered as held`);
      for (const [event_id, state] of journal.decided) assert.equal(states.get(event_id), state, event_id);
      assertArrived(receiver, '/in', await messagesOf(database, customer_id));
      for (const id of cut_off) {
        const times = receiver.at('/in').filter(({ headers }) => headers['webhook-id'] === id).length;
        assert.ok(times > 1, 'what was under way comes again');
      }
    } finally {
      await receiver.close();
      await database.drop();
    }
  });

  async function register(weir: Weir, url: string): Promise<void> {
    const policy = { blocked_actions: ['db:prod:drop'] };
    assert.equal((await call(`${weir.api}/policies/${customer_id}`, { key, body: policy })).status, 201);
    const reply = await call(`${weir.auth}/webhooks/register`, { body: { customer_id, endpoint_url: `${url}/in` } });
    assert.equal(reply.status, 201, reply.text);
  }

  /** Posts what is held and decides about every second one, until the service is gone; keeps what was answered. */
  async function decideAll(
    weir: Weir,
    name: string,
    { held, decided }: { held: Set<string>; decided: Map<string, string> },
    onDecided: () => void,
  ): Promise<void> {
    for (let n = 0; ; n += 1) {
      const event_id = `${name}-${n}`;
      try {
        const scored = await call(`${weir.api}/events`, { key, body: { event_id, action: 'db:prod:drop' } });
        if (scored.status === 200) held.add(event_id);
        if (n % 2 === 1) continue;
        const right = { customer_id, event_id, allowed_decisions: ['approve', 'reject'] };
        const issued = await call(`${weir.auth}/tokens/override`, { body: right });
        const body = { override_token: issued.json['token'], decision: n % 4 === 0 ? 'approve' : 'reject' };
        const answer = await call(`${weir.auth}/overrides/${event_id}/decide`, { body });
        if (answer.status !== 200) continue;
        decided.set(event_id, String(answer.json['status']));
        onDecided();
      } catch {
        // The connection broke: nothing is known of this step, and nothing was promised.
        if (weir.child.signalCode !== null) return;
      }
    }
  }
});
