/** Risk levels. The two interfaces of the specification cut the scale differently; each is consistent with itself. */
import type { RiskLevel } from './types.ts';

/** Lowest level first; the index is the number of the gRPC enum. */
export const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical'];

/** Highest score of each level but the last. REST: specification 2.1, summary ranges. gRPC: the enum's own comments. */
const REST_UPPER = [10, 30, 60, 80];
const GRPC_UPPER = [10, 30, 55, 80];

/** The lowest score that is high or critical, where a person should look. */
export const HIGH = 61;
/** The lowest score that is critical. */
export const CRITICAL = 81;

function levelBy(upper: readonly number[], score: number): RiskLevel {
  const index = upper.findIndex((bound) => score <= bound);
  return LEVELS[index === -1 ? upper.length : index]!;
}

/** Level of a score (integer 0-100) as REST, lists, the summary and the command line show it. */
export const levelOf = (score: number): RiskLevel => levelBy(REST_UPPER, score);

/** Level of a score (integer 0-100) as the gRPC enum defines it. */
export const grpcLevelOf = (score: number): RiskLevel => levelBy(GRPC_UPPER, score);

/** Whether an event of this level waits for a person; the threshold `none` holds nothing. */
export const isHeldAt = (level: RiskLevel, threshold: RiskLevel): boolean =>
  threshold !== 'none' && LEVELS.indexOf(level) >= LEVELS.indexOf(threshold);
