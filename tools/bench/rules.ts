/**
 * What rules cost that cannot fire: the shipped ones, and nine copies of each beside them, whose condition no event can
 * meet. Both are measured in turn on the same events, so that noise hits both.
 */
import { loadKnowledge } from '../../src/engine/knowledge/knowledge.ts';
import type { Knowledge } from '../../src/scoring/knowledge.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { compileRules } from '../../src/scoring/rules/rules.ts';
import { score } from '../../src/scoring/score.ts';
import { ownEvents } from './engine.ts';

const TIMES = 10;
const ROUNDS = 40;

export interface RulesFigure {
  rules: number;
  median_us: number;
  /** Of the shipped rules' time; the median of the rounds' ratios. */
  ratio: number;
}

/** `knowledge` with nine more of each rule; no event has fewer than no objects. */
function multiplied(knowledge: Knowledge): Knowledge {
  const documents = knowledge.rules.map((rule) => rule.document);
  const copies = Array.from({ length: TIMES - 1 }, (_, i) =>
    documents.map((document) => ({
      ...document,
      id: `${document.id}_${i}`,
      when: `(${document.when}) AND batch_size < ${-1 - i}`,
    })),
  );
  const index = compileRules([...documents, ...copies.flat()]);
  return { ...knowledge, index, rules: index.rules };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

export async function measureRules(): Promise<RulesFigure[]> {
  const shipped = await loadKnowledge();
  const sides = [shipped, multiplied(shipped)];
  const events = ownEvents();
  const times: number[][] = sides.map(() => []);
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of order) {
      const start = performance.now();
      for (const event of events) score(event, null, NO_POLICY, sides[side]!);
      if (round >= ROUNDS) times[side]!.push(((performance.now() - start) * 1_000) / events.length);
    }
  }
  return sides.map((knowledge, side) => ({
    rules: knowledge.index.rules.length,
    median_us: median(times[side]!),
    ratio: median(times[side]!.map((time, round) => time / times[0]![round]!)),
  }));
}
