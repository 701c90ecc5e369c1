import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRule, RiskLevel } from '../types.ts';
import { isDecisionSettled } from './decision.ts';

const ruleFor = (...levels: RiskLevel[]): ApprovalRule => ({
  levels: new Set(levels),
  by: null,
  people: 1,
  not_own: false,
  needs_reason: false,
  escalation: null,
});
const policy = (hold_threshold: RiskLevel | null, approvals: readonly ApprovalRule[] = []) => ({
  hold_threshold,
  approvals,
});

test('a higher score changes no decision where the event is held already, and by the same rule', () => {
  const settled = (level: RiskLevel, own: ReturnType<typeof policy>, standard: RiskLevel = 'high') =>
    isDecisionSettled(level, own, standard);
  assert.equal(settled('medium', policy(null)), false);
  assert.equal(settled('high', policy(null)), true);
  assert.equal(settled('high', policy('critical')), false);
  assert.equal(settled('medium', policy('medium')), true);
  assert.equal(settled('high', policy(null), 'none'), false, 'whoever holds nothing goes by the level');
  assert.equal(settled('critical', policy('none'), 'none'), true, 'there is no higher level');
  assert.equal(settled('high', policy(null, [ruleFor('high', 'critical')])), true);
  assert.equal(settled('high', policy(null, [ruleFor('critical')])), false, 'others decide about critical events');
});
