/** The policy field `hold_threshold`: the lowest risk level that waits for a person. */

import type { Json } from '../../lang/json.ts';
import { LEVELS } from '../level.ts';
import type { RiskLevel } from '../types.ts';
import { type Problem, pointer } from './problems.ts';

/** The level; `none` holds nothing. `null` if the value is not a level; a problem is pushed. */
export function readHoldThreshold(value: Json, problems: Problem[]): RiskLevel | null {
  const level = LEVELS.find((one) => one === value);
  if (level !== undefined) return level;
  problems.push({
    path: pointer('hold_threshold'),
    message: `must be one of ${LEVELS.join(', ')}; \`none\` holds nothing`,
  });
  return null;
}
