/** Lists as a person who decides reads them: what is in a row, filters, order, cursors. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Customer, call, newCustomer, problem } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';

type Item = Record<string, unknown>;

describe('the queue as a list', () => {
  let weir: SharedWeir;
  let customer: Customer;
  const EVENTS = [
    {
      event_id: 'read',
      action: 'files:notes:read',
      agent: { agent_id: 'a-1' },
      session: { session_id: 's-1', user_id: 'ann' },
    },
    {
      event_id: 'drop',
      action: 'DB:prod:drop',
      agent: { agent_id: 'a-2' },
      session: { session_id: 's-2', user_id: 'bob' },
      target: { resource_type: 'table', resource_id: 'orders' },
    },
    {
      event_id: 'drop-2',
      action: 'db:prod:drop',
      agent: { agent_id: 'a-1' },
      session: { session_id: 's-1', user_id: 'ann' },
    },
    { event_id: 'bare', action: 'github:pulls:read' },
  ];
  before(async () => {
    weir = await sharedWeir();
    customer = await newCustomer(weir);
    const policy = { blocked_actions: ['db:prod:drop'] };
    await call(`${weir.api}/policies/${customer.customer_id}`, { key: customer.api_key, body: policy });
    for (const event of EVENTS) {
      const scored = await call(`${weir.api}/events`, { key: customer.api_key, body: event });
      assert.equal(scored.status, 200, scored.text);
    }
  });

  const get = (query: string) => call(`${weir.api}/scores/${customer.customer_id}?${query}`, { key: customer.api_key });
  const list = async (query: string) => {
    const reply = await get(query);
    assert.equal(reply.status, 200, reply.text);
    const { scores, total, next_cursor } = reply.json as { scores: Item[]; total: number; next_cursor: string | null };
    return { ids: scores.map((one) => one['event_id']), total, next_cursor, scores };
  };

  test('a row says who did what to what, and why it is risky', async () => {
    const { scores } = await list('agent_id=a-2');
    const [row] = scores;
    const { action, agent_id, session_id, user_id, target, first_reason, would_have_held, reasoning } = row!;
    assert.deepEqual(
      { action, agent_id, session_id, user_id, target, would_have_held },
      {
        action: 'db:prod:drop',
        agent_id: 'a-2',
        session_id: 's-2',
        user_id: 'bob',
        target: { resource_type: 'table', resource_id: 'orders' },
        would_have_held: false,
      },
    );
    const reason = first_reason as { rule: string; text: string };
    assert.equal(reason.rule, (row!['violations'] as string[])[0]);
    assert.match(reason.text, /blocked|policy/);
    assert.match(String(reasoning), /^Critical risk/);
    const [bare] = (await list('action=github:*')).scores;
    assert.deepEqual([bare!['agent_id'], bare!['target'], bare!['user_id']], [null, null, null]);
  });

  test('filters, orders and totals', async () => {
    const expected: [string, string[]][] = [
      ['session_id=s-1', ['drop-2', 'read']],
      ['user_id=bob', ['drop']],
      ['action=*:*:drop', ['drop-2', 'drop']],
      ['action=DB:PROD:DROP&agent_id=a-1', ['drop-2']],
      ['hold=held&user_id=ann', ['drop-2']],
      ['would_have_held=true', []],
      ['order=oldest', ['read', 'drop', 'drop-2', 'bare']],
      ['agent_id=nobody', []],
    ];
    for (const [query, ids] of expected) {
      const found = await list(query);
      assert.deepEqual([found.ids, found.total], [ids, ids.length], query);
    }
    const rule = String(((await list('agent_id=a-2')).scores[0]!['violations'] as string[])[0]);
    assert.deepEqual((await list(`rule=${rule}`)).ids, ['drop-2', 'drop']);
    const by_risk = (await list('order=risk')).scores.map((one) => one['final_score'] as number);
    assert.deepEqual(
      by_risk,
      by_risk.toSorted((a, b) => b - a),
    );
  });

  test('a cursor passes every record once, with the exact total each time', async () => {
    for (const order of ['newest', 'oldest', 'risk']) {
      const all = (await list(`order=${order}`)).ids;
      const seen = [];
      let query = `order=${order}&per_page=3`;
      for (;;) {
        const { ids, total, next_cursor } = await list(query);
        seen.push(...ids);
        assert.equal(total, 4);
        if (next_cursor === null) break;
        query = `per_page=3&cursor=${next_cursor}`;
      }
      assert.deepEqual(seen, all);
    }
  });

  test('what is not a filter is refused with a reason', async () => {
    const { next_cursor } = await list('per_page=1');
    for (const query of [
      'action=a**:b',
      'order=random',
      'cursor=abc',
      `cursor=${next_cursor}&page=2`,
      `cursor=${next_cursor}&order=risk`,
      'would_have_held=yes',
      'agent_id=',
    ])
      problem(await get(query), 400);
  });
});
