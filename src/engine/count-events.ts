/** `evaluate` and `evaluateInOrder` with their outcomes counted: over whatever door, by level, with the time that it took. */
import type { Clock } from '../platform/clock.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Evaluate, Outcome } from './evaluate.ts';
import type { EvaluateInOrder } from './evaluate-in-order.ts';

export interface Counted {
  countEvent(evaluate: Evaluate): Evaluate;
  countEvents(evaluateInOrder: EvaluateInOrder): EvaluateInOrder;
}

export function createCounts(
  { scored, scoring, replayed, held }: Pick<Metrics, 'scored' | 'scoring' | 'replayed' | 'held'>,
  clock: Clock,
): Counted {
  const count = ({ record, is_replay }: Outcome, started: number): void => {
    scoring.observe((clock.ticks() - started) / 1_000);
    if (is_replay) replayed.inc();
    else {
      scored.inc({ risk_level: record.risk_level });
      if (record.hold !== null) held.inc();
    }
  };
  return {
    countEvent:
      (evaluate) =>
      async (...event) => {
        const started = clock.ticks();
        const outcome = await evaluate(...event);
        count(outcome, started);
        return outcome;
      },
    countEvents:
      (evaluateInOrder) =>
      async (...events) => {
        const started = clock.ticks();
        const outcomes = await evaluateInOrder(...events);
        for (const outcome of outcomes) if (!(outcome instanceof Error)) count(outcome, started);
        return outcomes;
      },
  };
}
