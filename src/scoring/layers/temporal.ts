/** Layer 4: how this action stands against the agent's own past. 0.5-2.0; exactly 1 where there is no record of a past. */
import type { History } from '../types.ts';

export interface TemporalReading {
  modifier: number;
  /** Why the modifier is not 1, as behavioral flags. */
  flags: string[];
}

/** Without the server's own record of the session nothing can be said, and nothing is. */
export function temporalModifier(history: History): TemporalReading {
  if (history === null) return { modifier: 1, flags: [] };
  return history;
}
