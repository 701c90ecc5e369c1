/** Sequences of overrides and decisions, with the status of each step and the state of the event, on two nodes and one database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { decideOverride } from '../../src/doors/manage/decide.ts';
import { actionHash } from '../../src/holds/action-hash.ts';
import type { Decide } from '../../src/holds/decide.ts';
import { StoreUnavailable, WeirError } from '../../src/platform/errors.ts';
import { toWeirError } from '../../src/platform/http/http.ts';
import { compileValidator } from '../../src/platform/http/validate.ts';
import { memoryCache } from '../../src/storage/memory/cache.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { signToken } from '../../src/tokens/issue/sign.ts';
import { tokenKinds } from '../../src/tokens/kinds/index.ts';
import { verifyDecision } from '../../src/verify.ts';
import { makeRecord } from '../contract/start.ts';
import { rounds } from '../support/rounds.ts';
import { sharedFile } from '../support/shared.ts';
import { NO_SERVER, useNodes } from '../support/test-database.ts';
import { patientWaiter } from '../support/waiter.ts';
import { by, KEY_HOLDER, makeAuth, makeFamily, type Service, steppedClock, subagentOf } from './support.ts';

interface Step {
  do: string;
  as?: string;
  event?: string;
  override_token?: string;
  decision?: string;
  reason?: string;
  allowed_decisions?: unknown;
  ttl_minutes?: number;
  expect?: string | number | (string | number)[];
  expect_state?: string;
  seconds?: number;
  offset_s?: number;
  n?: number;
  step?: Step;
  steps?: Step[];
}

const file = sharedFile('vectors/override-scenarios.json');
const cases =
  file === null
    ? []
    : (JSON.parse(readFileSync(file, 'utf8')) as { tests: { id: string; name: string; steps: Step[] }[] }).tests;
/** `TEST_ROUNDS=2000` for all that the vectors ask for; races.test.ts has them with two processes. */
const REPEATS = rounds(20);
const skip = NO_SERVER ?? (file === null ? 'no ../shared/vectors/override-scenarios.json' : false);
const override = tokenKinds.find(({ name }) => name === 'override')!;
const readOverride = compileValidator(override.body, 'the body');

/** The HTTP status of what it does. */
async function statusOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return 200;
  } catch (error) {
    return toWeirError(error).row.status;
  }
}

function assertStatus(status: number, { expect }: Step, shown: string): void {
  const wanted = (Array.isArray(expect) ? expect : [expect]).map((one) => (one === '2xx' ? 200 : one));
  assert.ok(wanted.includes(status), `${status} for ${shown}`);
}

describe('held events and decisions', { skip }, () => {
  const nodes = useNodes();

  for (const one of cases) test(`${one.id} ${one.name}`, () => run(one.steps));

  /** The database's clock stands still at so many seconds after the start, so that no machine is too slow for a second. */
  const started_s = Math.floor(Date.now() / 1_000);
  async function moveClock(seconds: number): Promise<void> {
    await nodes.database.run(
      `create or replace function auth_now() returns timestamptz language sql volatile
       as $$ select to_timestamp(${started_s + seconds}) $$`,
    );
  }

  async function run(steps: Step[]): Promise<void> {
    // A node reckons on from its last look at the database's clock, so its own stands still as well.
    const clock = steppedClock(true);
    const cache = memoryCache();
    let is_cut = false;
    // One node of two loses its database.
    const cuttable: Pick<Storage, 'auth' | 'holds' | 'people'> = {
      auth: nodes.storages[1].auth,
      people: nodes.storages[1].people,
      holds: {
        ...nodes.storages[1].holds,
        decide: (...args) =>
          is_cut ? Promise.reject(new StoreUnavailable('cut')) : nodes.storages[1].holds.decide(...args),
      },
    };
    const start = (): [Service, Service] => [
      makeAuth(nodes.storages[0], { cache, clock }),
      makeAuth(cuttable, { cache, clock }),
    ];
    let [issuer, decider] = start();
    let elapsed_s = 0;
    await moveClock(0);
    const { customer_id, agent } = await makeFamily(issuer);
    const stranger = await makeFamily(issuer);
    const subagent = await subagentOf(issuer, customer_id, agent.jti);
    const tokens = new Map<string, string>();
    const OPERATOR = { customer_id: '', key_id: '', scopes: [] };
    const decideWith = (auth: Service, event_id: string, body: object) => {
      const endpoint = decideOverride({ decide: auth.decide as Decide });
      const read = endpoint.body!.read as (body: unknown) => never;
      const request = {
        request_id: 'r',
        address: '127.0.0.1',
        actor: 'operator@127.0.0.1',
        headers: {},
        bearer: null,
        weigh: () => {},
        ...patientWaiter(),
        header: () => undefined,
        onClose: () => {},
        checkAccess: async () => {},
      };
      const parsed = { value: body, has_odd_characters: false };
      return async () =>
        endpoint.handle({ path: { event_id }, query: {}, body: read(parsed), request, caller: OPERATOR });
    };

    async function hold(event_id: string): Promise<void> {
      const record = makeRecord(customer_id, { event_id, score: 90 });
      record.hold = { ttl_minutes: 1_440, action_hash: actionHash(record.event)! };
      assert.equal((await nodes.storages[0].scores.record(record)).kind, 'stored');
    }

    async function tokenOf(name: string): Promise<string> {
      if (name === 'A_VALID_SUBAGENT_TOKEN') return subagent.token;
      const inner = /\((\w+)\)/.exec(name)?.[1] ?? name.trim();
      const token = tokens.get(inner)!;
      const text = token.slice('weir_override_'.length);
      if (name.startsWith('STRIP_PREFIX')) return text;
      if (name.startsWith('FLIP_BIT')) {
        const at = token.length - 40;
        return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      }
      if (name.startsWith('RESIGN_OTHER_CUSTOMER')) {
        const claims = JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString()) as never;
        return `weir_override_${signToken(await issuer.keys.signer(stranger.customer_id, by), claims)}`;
      }
      return name === inner ? token : name.replace(inner, token);
    }

    async function perform(step: Step, event_of: (name: string) => string, node = decider): Promise<void> {
      const shown = JSON.stringify(step);
      const event_id = step.event === undefined ? '' : event_of(step.event);
      if (step.do === 'create_override') {
        const { allowed_decisions, ttl_minutes } = step;
        const body = { customer_id, event_id, allowed_decisions, ttl_minutes, reason: 'r' };
        const status = await statusOf(async () => {
          const issued = await issuer.issue(override, readOverride(body) as Record<string, unknown>, by);
          tokens.set(step.as ?? 'T', issued.token);
        });
        assertStatus(status, step, shown);
      } else if (step.do === 'decide') {
        const { decision, reason } = step;
        const body = { override_token: await tokenOf(step.override_token!), decision, reason };
        assertStatus(await statusOf(decideWith(node, event_id, body)), step, shown);
      } else if (step.do === 'check_event') {
        const found = await nodes.storages[0].holds.find(customer_id, event_id);
        assert.equal(found?.hold?.state, step.expect_state, shown);
      } else if (step.do === 'advance' || step.do === 'node_clock') {
        // The database's clock is the one that every node goes by.
        elapsed_s += step.seconds ?? step.offset_s!;
        await moveClock(elapsed_s);
        clock.step(1_000);
      } else if (step.do === 'kill_at') {
        // What is lost is the answer; the process forgets everything.
        await perform({ ...step.step!, expect: '2xx' }, event_of);
      } else if (step.do === 'restart') [issuer, decider] = start();
      else if (step.do === 'cut_database') is_cut = true;
      else if (step.do === 'heal_database') is_cut = false;
      else if (step.do === 'flush_cache') await cache.delete('revocations:filter');
      else if (step.do === 'parallel_pair') {
        const [a, b] = step.steps!;
        const token = await tokenOf(a!.override_token!);
        const statuses = await Promise.all(
          [a!, b!].map(({ event, decision }, n) =>
            statusOf(decideWith(n === 0 ? issuer : decider, event_of(event!), { override_token: token, decision })),
          ),
        );
        assert.deepEqual(statuses.toSorted(), [200, 409]);
        const found = await nodes.storages[0].holds.find(customer_id, event_of(a!.event!));
        assert.equal(found?.hold?.state, statuses[0] === 200 ? 'approved' : 'rejected');
      } else if (step.do === 'repeat') {
        for (let n = 0; n < Math.min(step.n!, REPEATS); n += 1) {
          await hold(`E1 ${n}`);
          for (const inner of step.steps!) await perform(inner, (name) => `${name} ${n}`);
        }
      } else assert.fail(`unknown step ${shown}`);
    }

    for (const event of ['E1', 'E2']) await hold(event);
    for (const step of steps) await perform(step, (name) => name);
  }

  async function decidedEvent(decision: 'approve' | 'reject') {
    await moveClock(0);
    const auth = makeAuth(nodes.storages[0]);
    const { customer_id } = await makeFamily(auth);
    const record = makeRecord(customer_id, { score: 90 });
    record.hold = { ttl_minutes: 5, action_hash: actionHash(record.event)! };
    await nodes.storages[0].scores.record(record);
    const { event_id, event } = record;
    const body = { customer_id, event_id, allowed_decisions: [decision], ttl_minutes: 500_000 };
    const issued = await auth.issue(override, body, by);
    const decided = await auth.decide(event_id, { override_token: issued.token, decision, reason: 'seen' }, by);
    return { auth, customer_id, event, issued, decided, keys: (await auth.keys.jwks(customer_id)) as never };
  }

  test('a decision is cosigned for exactly this event and these arguments', async () => {
    const { event, decided, keys, auth } = await decidedEvent('approve');
    const { cosignature } = decided;
    const expected = {
      decision: 'approve',
      event_id: event.event_id,
      decided_at: decided.decided_at,
      decided_by: [KEY_HOLDER.decider],
    };
    const { customer_id: _c, jti: _j, ...proof } = verifyDecision(cosignature, keys, event)!;
    assert.deepEqual(proof, expected);
    const reordered = { ...event, parameters: Object.fromEntries(Object.entries(event.parameters!).reverse()) };
    assert.ok(verifyDecision(cosignature, keys, { ...reordered, action: event.action.toUpperCase() }) !== null);
    const others = [
      { ...event, event_id: 'other' },
      { ...event, action: 'database:customers:delete' },
      { ...event, target: { ...event.target, resource_id: 'prod/other' } },
      { ...event, parameters: { ...event.parameters, limit: 11 } },
      { event_id: event.event_id, action: event.action },
    ];
    for (const other of others) assert.equal(verifyDecision(cosignature, keys, other), null);
    const stranger = await makeFamily(auth);
    assert.equal(verifyDecision(cosignature, (await auth.keys.jwks(stranger.customer_id)) as never, event), null);
    assert.equal(verifyDecision(`${cosignature.slice(0, -4)}AAAA`, keys, event), null);
    const rejected = await decidedEvent('reject');
    assert.equal(verifyDecision(rejected.decided.cosignature, rejected.keys, rejected.event)?.decision, 'reject');
  });

  test('an override token is not a cosignature and no credential, and ends with the hold', async () => {
    const { auth, customer_id, event, issued, keys } = await decidedEvent('approve');
    const jws = issued.token.slice('weir_override_'.length);
    assert.equal(verifyDecision(jws, keys, event), null);
    assert.equal(await statusOf(async () => auth.verify(issued.token, customer_id)), 401);
    const found = await nodes.storages[0].holds.find(customer_id, event.event_id);
    assert.ok(Date.parse(issued.expires_at) <= Date.parse(found!.hold!.expires_at), 'cut to the hold');
  });

  test('revoked, another customer’s event, an expired hold', async () => {
    const { auth, customer_id, event } = await decidedEvent('approve');
    const stranger = await makeFamily(auth);
    const ask = (customer: string, event_id: string) => () =>
      auth.issue(override, { customer_id: customer, event_id, allowed_decisions: ['approve'] }, by);
    const stands = await ask(customer_id, event.event_id)().catch((error: WeirError) => error);
    assert.ok(stands instanceof WeirError && stands.code === 'conflict');
    assert.equal(stands.members?.['decision'], 'approve');
    const details: unknown[] = [];
    for (const id of [event.event_id, 'never was']) {
      await ask(stranger.customer_id, id)().catch(({ code, detail }) => details.push([code, detail]));
    }
    assert.deepEqual(details[0], details[1]);
    const record = makeRecord(customer_id, { score: 90, hold: { ttl_minutes: 1, action_hash: 'h' } });
    await nodes.storages[0].scores.record(record);
    const first = await ask(customer_id, record.event_id)();
    await auth.revoke.one(first.jti, null, by);
    const decide = (override_token: string) => () =>
      auth.decide(record.event_id, { override_token, decision: 'approve', reason: null }, by);
    assert.equal(await statusOf(decide(first.token)), 401);
    await moveClock(61);
    assert.equal(await statusOf(ask(customer_id, record.event_id)), 409);
    const lines = await nodes.storages[0].auth.audit.list(customer_id, 2 ** 40, 100);
    assert.equal(lines.filter(({ action }) => action === 'event.decided').length, 1);
  });
});
