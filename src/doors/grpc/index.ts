/** The gRPC service: every method, in the order of the .proto file. */
import type { EvaluateAllAs, EvaluateAs } from '../../engine/callers.ts';
import type { Clock } from '../../platform/clock.ts';
import { batchEvaluateRisk } from './batch-evaluate-risk.ts';
import { evaluateRisk } from './evaluate-risk.ts';
import type { Method } from './method.ts';
import { streamEvaluateRisk } from './stream-evaluate-risk.ts';

/** What the methods need; each takes the parts that it uses. */
export interface GrpcParts {
  evaluate_as: EvaluateAs;
  evaluate_all_as: EvaluateAllAs;
  clock: Clock;
}

export function grpcMethods(parts: GrpcParts): Method[] {
  return [evaluateRisk(parts), batchEvaluateRisk(parts), streamEvaluateRisk(parts)];
}
