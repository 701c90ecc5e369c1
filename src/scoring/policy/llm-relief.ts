/** The policy field `llm_relief`: by how much a language model may lower the score of an action without findings. */

import type { Json } from '../../lang/json.ts';
import { type Problem, pointer } from './problems.ts';

/** More would let a model that was talked over hide an action from a person. */
const MOST_RELIEF = 10;

/** Whole points, 0 to 10. 0 if the value is none of them; a problem is pushed. */
export function readLlmRelief(value: Json, problems: Problem[]): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_RELIEF) return value;
  problems.push({
    path: pointer('llm_relief'),
    message: `must be a whole number from 0 to ${MOST_RELIEF}: the points by which a language model may lower a score`,
  });
  return 0;
}
