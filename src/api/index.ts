/** The scoring API: every endpoint, in the order the documentation shows them. */
import type { Evaluate } from '../engine/evaluate.ts';
import type { Justify } from '../engine/justify.ts';
import type { Policies } from '../engine/policies.ts';
import type { Clock } from '../platform/clock.ts';
import type { Endpoint } from '../platform/endpoint.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import type { Cache, Storage } from '../storage/ports.ts';
import { detailedHealth } from './detailed-health.ts';
import { getPolicy } from './get-policy.ts';
import { getScore } from './get-score.ts';
import { health } from './health.ts';
import { justifyEvent } from './justify-event.ts';
import { listScores } from './list-scores.ts';
import { putPolicy } from './put-policy.ts';
import { scoreEvent } from './score-event.ts';
import { summariseScores } from './summarise-scores.ts';

/** What the endpoints need; each takes the parts that it uses. */
export interface ApiParts {
  evaluate: Evaluate;
  justify: Justify;
  policies: Policies;
  knowledge: Knowledge;
  storage: Storage;
  cache: Cache;
  clock: Clock;
}

export function apiEndpoints(parts: ApiParts): Endpoint[] {
  return [
    scoreEvent(parts),
    putPolicy(parts),
    getPolicy(parts),
    listScores(parts),
    summariseScores(parts),
    getScore(parts),
    justifyEvent(parts),
    health(),
    detailedHealth(parts),
  ];
}
