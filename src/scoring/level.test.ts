import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grpcLevelOf, HIGH, levelOf } from './level.ts';

// Specification 2.1: the two columns of score ranges, at both ends of each.
const REST: Record<string, [number, number]> = {
  none: [0, 10],
  low: [11, 30],
  medium: [31, 60],
  high: [61, 80],
  critical: [81, 100],
};
const GRPC: Record<string, [number, number]> = {
  none: [0, 10],
  low: [11, 30],
  medium: [31, 55],
  high: [56, 80],
  critical: [81, 100],
};

for (const [name, ranges, levelAt] of [
  ['REST', REST, levelOf],
  ['gRPC', GRPC, grpcLevelOf],
] as const) {
  test(`${name} levels cover 0-100 as the specification cuts it`, () => {
    for (const [level, [first, last]] of Object.entries(ranges)) {
      for (let score = first; score <= last; score += 1) assert.equal(levelAt(score), level, String(score));
    }
  });
}

test('high begins where a REST level says high', () => {
  assert.equal(levelOf(HIGH), 'high');
  assert.equal(levelOf(HIGH - 1), 'medium');
});
