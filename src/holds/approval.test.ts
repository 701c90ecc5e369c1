import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HeldEvent } from '../records/hold.ts';
import { readApprovals } from '../scoring/policy/approvals.ts';
import type { Problem } from '../scoring/policy/problems.ts';
import { type Approver, type LentBy, standingOf, type Who } from './approval.ts';

const person = (name: string, role = 'approver'): Approver => ({
  person_id: `id of ${name}`,
  email: `${name}@example.com`,
  name,
  role,
});
const who = (one: Approver): Who => {
  const { person_id: id, email, name } = one;
  return { decider: { kind: 'person', id, email, name, signed_in: 'oidc', address: '::1' }, person: one };
};
const ada = person('ada');
const bob = person('bob', 'admin');

const held = (minutes = 0, session_user: string | null = null): HeldEvent => ({
  hold: {} as never,
  now: new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString(),
  held_at: '2026-01-01T00:00:00.000000Z',
  risk_level: 'high',
  session_user,
});

function ask(
  rules: object[],
  one: Approver,
  event = held(),
  lent: LentBy[] = [],
  decision: 'approve' | 'reject' = 'approve',
) {
  const problems: Problem[] = [];
  const read = readApprovals(rules as never, problems);
  assert.deepEqual(problems, []);
  return standingOf(read, event, { decision, reason: null }, who(one), lent);
}

describe('rules of approval', () => {
  test('the first rule with the level of the event applies', () => {
    const rules = [
      { levels: ['critical'], by: ['admin'] },
      { levels: ['high', 'critical'], by: ['approver'], people: 2 },
    ];
    assert.equal(ask(rules, ada).people, 2);
    assert.equal(ask(rules, ada, held(), [], 'reject').people, 1);
    assert.throws(() => ask(rules, bob), { code: 'forbidden' });
    assert.throws(() => ask(rules, ada, { ...held(), risk_level: 'critical' }), { code: 'forbidden' });
    assert.deepEqual(ask(rules, ada, { ...held(), risk_level: 'low' }).authority, null);
  });

  test('others may decide once the event has waited, and not before', () => {
    const rules = [{ levels: ['high'], by: ['ada@example.com'], escalate: { after_minutes: 30, by: ['admin'] } }];
    assert.throws(() => ask(rules, bob, held(29.9)), { code: 'forbidden' });
    assert.equal(ask(rules, bob, held(30)).authority, bob);
    assert.equal(ask(rules, ada, held(30)).authority, ada);
  });

  test('the user of the session is known by email, by its first part and by id, and through a right that is lent', () => {
    const rules = [{ levels: ['high'], by: ['ada@example.com'], not_own: true }];
    for (const user of ['Ada@Example.com', 'ada', ' ADA ', 'id of ada'])
      assert.throws(
        () => ask(rules, ada, held(0, user.replace('id of ada', ada.person_id))),
        { code: 'forbidden' },
        user,
      );
    for (const user of ['adam', 'ada@other.example', '', null]) ask(rules, ada, held(0, user));
    const lent = [{ from: ada, to: bob }];
    assert.throws(() => ask(rules, bob, held(0, 'ada'), lent), { code: 'forbidden' });
    assert.throws(() => ask(rules, bob, held(0, 'bob'), lent), { code: 'forbidden' });
    assert.deepEqual(ask(rules, bob, held(), lent).decider.on_behalf_of, { id: ada.person_id, email: ada.email });
    assert.throws(() => ask(rules, bob, held(), [{ from: bob, to: ada }]), { code: 'forbidden' });
  });

  test('what a policy gets wrong is told with its place', () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /list of at most/],
      [['x'], /object/],
      [[{ levels: [] }], /levels|list with any/],
      [[{ levels: ['none'] }], /list with any of low/],
      [[{ levels: ['high'], by: ['viewer'] }], /approver, admin and emails/],
      [[{ levels: ['high'], by: [] }], /approver, admin and emails/],
      [[{ levels: ['high'], people: 0 }], /1 to 5/],
      [[{ levels: ['high'], not_own: 'yes' }], /true or false/],
      [[{ levels: ['high'], needs_reasons: true }], /needs_reason/],
      [[{ levels: ['high'], escalate: { after_minutes: 5 } }], /after_minutes, by/],
    ];
    for (const [value, pattern] of wrong) {
      const problems: Problem[] = [];
      readApprovals(value as never, problems);
      assert.match(problems.map(({ message }) => message).join(), pattern, JSON.stringify(value));
      assert.match(problems[0]!.path, /^\/approvals/);
    }
  });
});
