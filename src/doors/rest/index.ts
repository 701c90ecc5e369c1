/** The scoring API: every endpoint, in the order the documentation shows them. */
import type { Accept } from '../../engine/accept.ts';
import type { FindPath } from '../../engine/activity/path.ts';
import type { EvaluateAs } from '../../engine/callers.ts';
import type { Controls } from '../../engine/compliance/controls.ts';
import type { Follow } from '../../engine/follow.ts';
import type { WriteJustification } from '../../engine/llm/justification.ts';
import type { Policies } from '../../engine/policies.ts';
import type { Waiting } from '../../holds/await-decision.ts';
import type { LlmHealth } from '../../llm/health.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DiskHealth } from '../../platform/disk.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { Streams } from '../../platform/http/streams.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';
import type { Dispatch } from '../../storage/ports/queue.ts';
import type { Storage } from '../../storage/ports/storage.ts';
import { deleteControl, listControls, putControls } from './controls.ts';
import { detailedHealth } from './detailed-health.ts';
import { getPolicy } from './get-policy.ts';
import { getScore } from './get-score.ts';
import { agentReach, dataPath, targetActors } from './graph.ts';
import { health } from './health.ts';
import { justifyEvent } from './justify-event.ts';
import { listScores } from './list-scores.ts';
import { putPolicy } from './put-policy.ts';
import { scoreEvent } from './score-event.ts';
import { streamEvents } from './stream-events.ts';
import { submitBatch } from './submit-batch.ts';
import { summariseScores } from './summarise-scores.ts';

/** What the endpoints need; each takes the parts that it uses. */
export interface ApiParts {
  evaluate_as: EvaluateAs;
  /** Throws when this customer's queue is full (`Turns.checkRoom`). */
  check_room: (customer_id: string) => void;
  accept: Accept;
  justify: WriteJustification;
  policies: Policies;
  knowledge: Knowledge;
  storage: Storage;
  waiting: Waiting;
  follow: Follow;
  streams: Streams;
  cache: Cache;
  /** `null` where the database is the queue. */
  dispatch: Dispatch | null;
  clock: Clock;
  measure_disk: () => Promise<DiskHealth>;
  /** Null where no language model is set up. */
  llm: { check(): Promise<LlmHealth> } | null;
  graphs: Graphs;
  controls: Controls;
  find_path: FindPath;
  /** Settles when the start of the process is over. */
  started: Promise<void>;
}

export function apiEndpoints(parts: ApiParts): Endpoint[] {
  return [
    scoreEvent(parts),
    submitBatch(parts),
    streamEvents(parts),
    putPolicy(parts),
    getPolicy(parts),
    listScores(parts),
    summariseScores(parts),
    getScore(parts),
    justifyEvent(parts),
    putControls(parts),
    listControls(parts),
    deleteControl(parts),
    agentReach(parts),
    targetActors(parts),
    dataPath(parts),
    health(parts),
    detailedHealth(parts),
  ];
}
