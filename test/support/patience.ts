import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for what has to happen sooner or later, and how long one test may take before it counts as hanging.
 * A shared machine may stand still for half a minute; how fast something happens is measured by tools/bench, never asserted.
 */
export const PATIENCE_MS = 180_000;

/** Waits until something holds; fails with what was waited for. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  { pause_ms = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert(performance.now() < deadline, `it never came about: ${what}`);
    await sleep(pause_ms);
  }
}
