/** The graph of activity from outside: events that were scored, what the worker made of them, and who may see it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Customer, call, newCustomer, problem, type Reply } from '../support/client.ts';
import { until as untilTrue } from '../support/patience.ts';
import { programOf } from '../support/programs.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

const run = promisify(execFile);
const MAIN = programOf('src/main.ts');

describe('graph of activity', () => {
  let weir: SharedWeir;
  let mine: Customer;
  const ids: Record<string, string> = {};

  const post = async (customer: Customer, body: object, headers: Record<string, string> = {}): Promise<string> => {
    const reply = await call(`${weir.api}/events`, { key: customer.api_key, body, headers });
    assert.equal(reply.status, 200, reply.text);
    return String(reply.json['event_id']);
  };
  const get = (path: string, customer = mine): Promise<Reply> => call(weir.api + path, { key: customer.api_key });
  const derive = async (kind: string, body: object): Promise<Record<string, string>> => {
    const reply = await call(`${weir.auth}/tokens/${kind}`, { body: { customer_id: mine.customer_id, ...body } });
    assert.equal(reply.status, 201, reply.text);
    return reply.json as Record<string, string>;
  };
  /** Asks until the answer is there: the graph is a few seconds behind. */
  const until = async (
    path: string,
    isThere: (body: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> => {
    let last: Record<string, unknown> = {};
    await untilTrue(async () => {
      const reply = await get(path);
      assert.equal(reply.status, 200, reply.text);
      last = reply.json;
      return isThere(last);
    }, `what ${path} is to answer is in the graph`);
    return last;
  };

  before(async () => {
    weir = await sharedWeir();
    mine = await newCustomer(weir);
    const app = await derive('app', { name: 'app' });
    const bearer = await derive('bearer', { app_token_hash: app['token_hash'] });
    const rbac = { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 };
    const planner = await derive('agent', { bearer_jti: bearer['jti'], agent_id: 'planner', rbac });
    const mailer = await derive('subagent', { parent_agent_jti: planner['jti'], agent_id: 'mailer' });
    ids['jti'] = mailer['jti']!;
    const read = { action: 'db:customers:read', target: { resource_type: 'table', resource_id: 'prod/customers' } };
    ids['read'] = await post(
      mine,
      { ...read, session: { session_id: 'one', user_id: 'ann' } },
      { authorization: `Bearer ${planner['token']}` },
    );
    const mail = {
      action: 'email:message:send',
      parameters: { to: 'bob@elsewhere.test', body: 'x' },
      session: { session_id: 'two' },
    };
    ids['sent'] = await post(mine, mail, { authorization: `Bearer ${mailer['token']}` });
    const other = await newCustomer(weir);
    await post(other, { ...read, agent: { agent_id: 'planner' } });
  });

  test('a reach has what a subagent did, with the token that delegates to it, and nothing of another customer', async () => {
    const found = await until('/graph/agents/planner/reach?hours=1', ({ total }) => (total as number) >= 2);
    const agents = found['agents'] as Record<string, unknown>[];
    assert.deepEqual(
      agents.map(({ agent_id, depth, delegated_by, jti }) => [agent_id, depth, delegated_by, jti]),
      [
        ['planner', 0, null, null],
        ['mailer', 1, 'planner', ids['jti']],
      ],
    );
    const touched = found['touched'] as Record<string, unknown>[];
    const named = touched.map(({ kind, type, name, events, last_event_id, agent_ids }) => [
      name,
      kind,
      type,
      events,
      last_event_id,
      agent_ids,
    ]);
    assert.deepEqual(named.sort(), [
      ['bob@elsewhere.test', 'destination', '', 1, ids['sent'], ['mailer']],
      ['prod/customers', 'target', 'table', 1, ids['read'], ['planner']],
    ]);
    assert.deepEqual([found['source'], found['total'], found['is_cut']], ['postgres', 2, false]);
    const alone = await get('/graph/agents/planner/reach?depth=0');
    assert.equal(alone.json['total'], 1);
    const nobody = await get('/graph/agents/nobody/reach');
    assert.deepEqual([nobody.status, nobody.json['total'], nobody.json['agents']], [200, 0, []]);
  });

  test('the actors of a target', async () => {
    const path = `/graph/targets/table/${encodeURIComponent('prod/customers')}/actors`;
    const { actors, total } = await until(path, (body) => body['total'] === 1);
    const [actor] = actors as Record<string, unknown>[];
    assert.equal(total, 1);
    assert.deepEqual(
      [
        actor!['agent_id'],
        actor!['sessions'],
        actor!['users'],
        actor!['reads'],
        actor!['writes'],
        actor!['last_event_id'],
      ],
      ['planner', ['one'], ['ann'], 1, 0, ids['read']],
    );
    const sent = await until('/graph/targets/destination/bob@elsewhere.test/actors', (body) => body['total'] === 1);
    assert.deepEqual((sent['actors'] as Record<string, unknown>[])[0]!['delegated_by'], ['planner']);
  });

  test('how customers’ data could have gone outside: read by one agent, sent by another in another session', async () => {
    const path = '/graph/path?from=target:table:prod/customers&to=destination:bob@elsewhere.test';
    const found = await until(path, ({ is_found }) => is_found === true);
    const steps = found['steps'] as {
      from: { name: string };
      to: { name: string };
      how: string;
      event_id: string | null;
    }[];
    assert.deepEqual(
      steps.map(({ from, to, how, event_id }) => [from.name, how, to.name, event_id]),
      [
        ['prod/customers', 'read', 'planner', ids['read']],
        ['planner', 'delegated', 'mailer', null],
        ['mailer', 'sent', 'bob@elsewhere.test', ids['sent']],
      ],
    );
    const back = await get('/graph/path?from=destination:bob@elsewhere.test&to=target:table:prod/customers');
    assert.deepEqual([back.json['is_found'], back.json['steps']], [false, []]);
    assert.equal((await get(`${path}&depth=2`)).json['is_found'], false);
  });

  test('what cannot be asked is refused with the reason', async () => {
    for (const path of [
      '/graph/agents/a/reach?depth=9',
      '/graph/agents/a/reach?hours=0',
      '/graph/agents/a/reach?per_page=201',
      '/graph/targets/table/t/actors?page=0',
      '/graph/path?from=agent:a',
      '/graph/path?from=somebody&to=agent:b',
      '/graph/path?from=target:x&to=agent:b',
    ])
      problem(await get(path), 400);
  });

  test('`weir graph rebuild` makes the same graph again', async () => {
    const answers = () =>
      Promise.all(
        ['/graph/agents/planner/reach', '/graph/targets/table/prod%2Fcustomers/actors'].map(
          async (path) => (await get(path)).text,
        ),
      );
    const kept = await answers();
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: weir.data_dir };
    const { stdout } = await run(process.execPath, [MAIN, 'graph', 'rebuild'], { env });
    assert.match(stdout, /^postgres: rebuilt/m);
    await until('/graph/agents/planner/reach', ({ total }) => total === 2);
    assert.deepEqual(await answers(), kept);
    const { stdout: synced } = await run(process.execPath, [MAIN, 'graph', 'sync'], { env });
    assert.match(synced, /were there already/);
    const { stdout: status } = await run(process.execPath, [MAIN, 'graph', 'status', '--json'], { env });
    const [graph] = JSON.parse(status) as { backend: string; status: string; versions: unknown[] }[];
    assert.deepEqual([graph!.backend, graph!.status, graph!.versions.length], ['postgres', 'ok', 1]);
  });
});
