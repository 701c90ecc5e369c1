/** The agent loop against a real Weir and a real MCP server, with somebody who decides as a person would. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { runAgent } from '../../examples/agent-loop/loop.ts';
import { scriptedModel, TASK } from '../../examples/agent-loop/story.ts';
import { mcpTools, type Tools } from '../../examples/agent-loop/tools.ts';
import {
  createGate,
  type Gate,
  type GateOptions,
  gateFromEnvironment,
  keysFrom,
  type Verdict,
} from '../../examples/gate.ts';
import { runProgram } from '../cli/support.ts';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { FILESYSTEM_SERVER, KEY, makeHome, personOf, ROOT } from './support.ts';

describe('the agent loop', () => {
  let weir: SharedWeir;
  let customer: Customer;
  let person: ReturnType<typeof personOf>;
  let home: string;
  let tools: Tools;
  before(async () => {
    weir = await sharedWeir();
  });
  afterEach(() => tools.close());
  beforeEach(async () => {
    customer = await newCustomer(weir);
    person = personOf(weir, customer);
    home = makeHome();
    tools = await mcpTools(process.execPath, [FILESYSTEM_SERVER, home]);
  });

  const makeGate = (parts: Partial<GateOptions> = {}): Gate => {
    const { customer_id, api_key } = customer;
    const keys = keysFrom({ auth_url: weir.auth, customer_id, api_key });
    return createGate({ url: weir.api, api_key, keys, wait_s: 30, patience_ms: 60_000, ...parts });
  };
  const run = async (gate = makeGate()) => {
    const verdicts: Verdict[] = [];
    const onStep = (_: unknown, verdict: Verdict) => void verdicts.push(verdict);
    const model = scriptedModel(home);
    const ended = await runAgent({ task: TASK, model, tools, gate, agent_id: 'minutes-writer', onStep });
    return { ...ended, verdicts };
  };
  const keysFile = () => join(home, '.ssh/authorized_keys');
  /** What the injected line asks for, as the agent asks for it. */
  const deed = (content = KEY) => ({
    action: 'file:document:write',
    parameters: { path: keysFile(), content },
    target: { resource_type: 'file', resource_id: keysFile() },
  });

  test('rejected: it is not done, the model reads why, and the task gets done', async () => {
    const running = run();
    const held = await person.nextHeld();
    assert.ok(held.violations.includes('action_follows_untrusted_instruction'), held.violations.join());
    assert.ok(!existsSync(keysFile()), 'nothing is done while it is held');
    await person.decide(held.event_id, 'reject', 'nobody asked for that');
    const { outcome, verdicts, messages } = await running;
    assert.deepEqual([outcome, verdicts.map((one) => one.is_allowed)], ['done', [true, false, true]]);
    const told = messages.filter(({ role }) => role === 'tool')[1]!.content!;
    assert.match(told, /a person rejected it\. They said: «nobody asked for that»\..*instruction that stands in/);
    assert.ok(!existsSync(keysFile()));
    assert.match(readFileSync(join(home, 'summary.md'), 'utf8'), /Friday/);
  });

  test('approved: it is done, once, with the arguments that were approved', async () => {
    const running = run();
    await person.decide((await person.nextHeld()).event_id, 'approve');
    const { verdicts } = await running;
    const [, second] = verdicts;
    assert.ok(second?.is_allowed && second.approved_at !== null);
    assert.equal(readFileSync(keysFile(), 'utf8'), `${KEY}\n`);
  });

  test('an approval that fits other arguments, or is not an approval, is none', async () => {
    const gate = makeGate();
    const asking = gate.ask(deed());
    const genuine = await person.decide((await person.nextHeld()).event_id, 'approve');
    assert.equal((await asking).is_allowed, true);
    // A scoring API that lies: it says approved, with what it has at hand.
    let said: object = {};
    const liar = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = 'GET', url = '' } = request;
      const honest = await call(weir.api + url, { method, key: customer.api_key, ...(body && { body }) });
      const hold = { ...(honest.json['hold'] as object), state: 'approved', ...said };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...honest.json, hold }));
    });
    await new Promise<void>((done) => liar.listen(0, '127.0.0.1', done));
    try {
      const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
      for (const cosignature of [genuine, null, undefined, 'a.b.c', `${genuine.slice(0, -4)}AAAA`]) {
        said = { cosignature };
        const verdict = await makeGate({ url }).ask(deed(`${KEY} 2`));
        assert.deepEqual(
          [verdict.is_allowed, 'why' in verdict && verdict.why],
          [false, 'unproven'],
          cosignature ?? '-',
        );
      }
    } finally {
      liar.closeAllConnections();
      liar.close();
    }
  });

  test('a wait that ends undecided is gone on with, and one approval is one permission', async () => {
    const gate = makeGate({ wait_s: 0 });
    const ask = async () => {
      const verdict = await gate.ask(deed());
      return [verdict.is_allowed, 'why' in verdict ? verdict.why : null, verdict.event_id];
    };
    const [, , event_id] = await ask();
    assert.deepEqual(await ask(), [false, 'undecided', event_id], 'no second event for the same');
    await person.decide(String(event_id), 'approve');
    const both = await Promise.all([ask(), ask()]);
    assert.deepEqual(both[0], [true, null, event_id]);
    assert.deepEqual(both[1]!.slice(0, 2), [false, 'undecided']);
    assert.notEqual(both[1]![2], event_id);
  });

  test('keys that cannot be read, a wrong API key, no Weir: nothing is done, and the reason is said', async () => {
    let is_cut = true;
    const { customer_id, api_key } = customer;
    const real = keysFrom({ auth_url: weir.auth, customer_id, api_key });
    const gate = makeGate({ keys: () => (is_cut ? Promise.reject(new Error('cut')) : real()) });
    const asking = gate.ask(deed());
    await person.decide((await person.nextHeld()).event_id, 'approve');
    const unproven = await asking;
    assert.ok(!unproven.is_allowed && unproven.why === 'unproven' && /\(cut\)/.test(unproven.text));
    is_cut = false;
    assert.equal((await gate.ask(deed())).is_allowed, true, 'the approval is not lost');

    const foreign = await makeGate({ api_key: `${api_key}x` }).ask(deed());
    assert.ok(!foreign.is_allowed && foreign.why === 'denied' && /answered 401/.test(foreign.text));
    const { verdicts, outcome } = await run(makeGate({ url: 'http://127.0.0.1:1', patience_ms: 10 }));
    assert.equal(outcome, 'stopped');
    for (const one of verdicts) assert.ok(!one.is_allowed && one.why === 'unavailable', JSON.stringify(one));
    assert.ok(!existsSync(keysFile()) && !existsSync(join(home, 'summary.md')));
  });

  test('critical where nothing is ever held is blocked', async () => {
    const { customer_id, api_key: key } = customer;
    const policy = { hold_threshold: 'none', blocked_actions: ['file:document:write'] };
    assert.equal((await call(`${weir.api}/policies/${customer_id}`, { key, body: policy })).status, 201);
    const verdict = await makeGate().ask(deed('x'));
    assert.ok(!verdict.is_allowed && verdict.why === 'blocked', JSON.stringify(verdict));
  });

  test('expired: nobody came in time', { skip: NO_SERVER ?? false }, async () => {
    const database = await makeDatabase();
    const node = await startHostedWeir({ env: { DATABASE_URL: database.url, MASTER_KEY: 'a master key for tests' } });
    try {
      const { api_key } = await newCustomer(node);
      const asking = makeGate({ url: node.api, api_key }).ask(deed(), {
        onHeld: () => void database.run(`update holds set expires_at = clock_timestamp() where state = 'held'`),
      });
      const verdict = await asking;
      assert.ok(!verdict.is_allowed && verdict.why === 'expired', JSON.stringify(verdict));
    } finally {
      await node.stop();
      await database.drop();
    }
  });

  test('the settings that are missing are named', () => {
    const all = { WEIR_API_KEY: 'k', WEIR_AUTH_URL: 'http://a', WEIR_CUSTOMER_ID: 'c' };
    gateFromEnvironment(all);
    gateFromEnvironment({ WEIR_API_KEY: 'k', WEIR_KEYS_FILE: 'keys.json' });
    for (const name of Object.keys(all))
      assert.throws(() => gateFromEnvironment({ ...all, [name]: '' }), new RegExp(name));
    assert.throws(() => gateFromEnvironment({ ...all, WEIR_WAIT_S: 'long' }), /WEIR_WAIT_S/);
  });

  test('as the page says: the program, and the decision on the command line', async () => {
    const { customer_id, api_key } = customer;
    const env = {
      WEIR_URL: weir.api,
      WEIR_AUTH_URL: weir.auth,
      WEIR_API_KEY: api_key,
      WEIR_OWNER_KEY: customer.api_key,
      WEIR_CUSTOMER_ID: customer_id,
      WEIR_WAIT_S: '30',
    };
    const program = (...args: string[]) => runProgram(process.execPath, args, { env });
    const running = program(join(ROOT, 'examples/agent-loop/main.ts'), home);
    const { event_id } = await person.nextHeld();
    const decided = await program(join(ROOT, 'examples/decide.ts'), event_id, 'reject', 'not what I asked for');
    assert.equal(decided.code, 0, decided.stderr);
    assert.match(decided.stdout, /is rejected/);
    const again = await program(join(ROOT, 'examples/decide.ts'), event_id, 'approve');
    assert.deepEqual([again.code, /was rejected at/.test(again.stderr)], [1, true], again.stderr);
    const { code, stdout, stderr } = await running;
    assert.equal(code, 0, stdout + stderr);
    assert.ok(stdout.includes(`${event_id} reject`), stdout);
    assert.match(stdout, /NOT {3}write_file .*\n.*They said: «not what I asked for»/);
  });
});
