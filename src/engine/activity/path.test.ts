/** The way of data: fewest steps, each later than the one before, on whatever graph. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FlowStep, NodeRef } from '../../storage/ports/activity.ts';
import { walk } from './path.ts';

const NODES = 6;
const node = (n: number): NodeRef => ({ kind: 'agent', type: '', name: String(n) });
const time = (minute: number): string => `2026-05-01T12:${String(minute).padStart(2, '0')}:00.000000Z`;

type Edge = [from: number, to: number, minute: number];

/** Answers as a graph does: from each node the earliest step to each other after the time at which data are there. */
const flowsOf = (edges: readonly Edge[]) => async (from: { node: NodeRef; at: string }[]) =>
  from.flatMap(({ node: start, at }) => {
    const later = edges.filter(([a, , minute]) => String(a) === start.name && time(minute) >= at);
    const earliest = new Map<number, Edge>();
    for (const edge of later.toSorted((one, other) => one[2] - other[2]))
      if (!earliest.has(edge[1])) earliest.set(edge[1], edge);
    return [...earliest.values()].map(
      ([, to, minute]): FlowStep => ({
        from: start,
        to: node(to),
        how: 'sent',
        at: time(minute),
        event_id: null,
        action: null,
        score: null,
      }),
    );
  });

/** Tries every way of at most `depth` steps: the length of the shortest, or null. */
function shortest(edges: readonly Edge[], from: number, to: number, depth: number): number | null {
  let states = new Set([`${from} 0`]);
  for (let n = 1; n <= depth; n += 1) {
    const next = new Set<string>();
    for (const state of states) {
      const [at, since] = state.split(' ').map(Number);
      for (const [a, b, minute] of edges) if (a === at && minute >= since!) next.add(`${b} ${minute}`);
    }
    if ([...next].some((state) => state.startsWith(`${to} `))) return n;
    states = next;
  }
  return null;
}

test('the way is the shortest of all, or there is none', async () => {
  const place = fc.nat(NODES - 1);
  const edges = fc.array(fc.tuple(place, place, fc.nat(12)) as fc.Arbitrary<Edge>, { maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(edges, place, place, fc.integer({ min: 1, max: 6 }), async (all, from, to, depth) => {
      const others = all.filter(([a, b]) => a !== b);
      fc.pre(from !== to);
      const { steps, is_found, is_cut } = await walk(flowsOf(others), node(from), node(to), depth);
      assert.equal(is_found ? steps.length : null, shortest(others, from, to, depth));
      assert.equal(is_cut, false);
      for (const [n, step] of steps.entries()) {
        assert.equal(step.from.name, n === 0 ? String(from) : steps[n - 1]!.to.name);
        if (n > 0) assert.ok(step.at >= steps[n - 1]!.at);
      }
    }),
    { numRuns: 500 },
  );
});

test('more nodes than are followed are told', async () => {
  const edges = Array.from({ length: 300 }, (_, n): Edge => [0, n + 1, 1]);
  const { is_found, is_cut } = await walk(flowsOf(edges), node(0), node(999), 3);
  assert.deepEqual([is_found, is_cut], [false, true]);
});
