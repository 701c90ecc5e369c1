/** Counts of replayed sessions, for each source: what the people at these sessions would have met. */
import { HIGH } from '../../../src/scoring/level.ts';
import type { ReplayedSession, ReplayedStep } from './replay.ts';

export interface SessionRow {
  source: string;
  sessions: number;
  /** Steps of the longest session. */
  longest: number;
  benign: { steps: number; held: number; held_per_1000: number | null };
  harmful: { steps: number; held: number; recall: number | null };
  /** Sessions with at least one harmless step held. */
  disturbed: { sessions: number; share: number };
  /** Sessions with a harmful step, and those of them in which a harmful step was held. */
  attacked: { sessions: number; stopped: number };
  /** Steps that are held only because of the session's memory, and those that are held only without it. */
  memory: { benign_added: number; benign_released: number; harmful_added: number; harmful_released: number };
}

/** One row a source, in the order of their names. */
export function countSessions(sessions: readonly ReplayedSession[]): SessionRow[] {
  const by_source = Map.groupBy(sessions, ({ source }) => source);
  return [...by_source.keys()].sort().map((source) => rowOf(source, by_source.get(source)!));
}

function rowOf(source: string, sessions: readonly ReplayedSession[]): SessionRow {
  const steps = sessions.flatMap((session) => session.steps);
  const benign = steps.filter(isBenign);
  const harmful = steps.filter(isHarmful);
  const count = (of: readonly ReplayedStep[], wanted: (step: ReplayedStep) => boolean) => of.filter(wanted).length;
  const held = { benign: count(benign, isHeld), harmful: count(harmful, isHeld) };
  const disturbed = sessions.filter((one) => one.steps.some((step) => isBenign(step) && isHeld(step))).length;
  const attacked = sessions.filter((one) => one.steps.some(isHarmful));
  return {
    source,
    sessions: sessions.length,
    longest: Math.max(...sessions.map((one) => one.steps.length)),
    benign: { steps: benign.length, held: held.benign, held_per_1000: share(1_000 * held.benign, benign.length) },
    harmful: { steps: harmful.length, held: held.harmful, recall: share(held.harmful, harmful.length) },
    disturbed: { sessions: disturbed, share: disturbed / sessions.length },
    attacked: {
      sessions: attacked.length,
      stopped: attacked.filter((one) => one.steps.some((step) => isHarmful(step) && isHeld(step))).length,
    },
    memory: {
      benign_added: count(benign, isAdded),
      benign_released: count(benign, isReleased),
      harmful_added: count(harmful, isAdded),
      harmful_released: count(harmful, isReleased),
    },
  };
}

const isBenign = ({ label }: ReplayedStep): boolean => label === 0;
const isHarmful = ({ label }: ReplayedStep): boolean => label === 1;
const isHeld = ({ is_held }: ReplayedStep): boolean => is_held;
const isAdded = ({ is_held, score_alone }: ReplayedStep): boolean => is_held && score_alone < HIGH;
const isReleased = ({ is_held, score_alone }: ReplayedStep): boolean => !is_held && score_alone >= HIGH;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
