/** `evaluate` with its outcomes counted: over whatever door, by level, with the time that it took. */
import type { Clock } from '../platform/clock.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Evaluate } from './evaluate.ts';

export function countEvents(
  evaluate: Evaluate,
  { scored, scoring, replayed, held }: Pick<Metrics, 'scored' | 'scoring' | 'replayed' | 'held'>,
  clock: Clock,
): Evaluate {
  return async (...event) => {
    const started = clock.ticks();
    const outcome = await evaluate(...event);
    scoring.observe((clock.ticks() - started) / 1_000);
    if (outcome.is_replay) replayed.inc();
    else {
      scored.inc({ risk_level: outcome.record.risk_level });
      if (outcome.record.hold !== null) held.inc();
    }
    return outcome;
  };
}
