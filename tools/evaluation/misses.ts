/** The records a person should read: benign ones that scored highest, harmful ones that scored lowest. */

import type { AgentEvent } from '../../src/events/event.ts';
import { levelOf } from '../../src/scoring/level.ts';
import type { Assessment, RiskLevel } from '../../src/scoring/types.ts';
import type { LabelledRecord } from './labelled.ts';

/** One miss as written to a file: the verdict first, the event it is about last. */
export interface Miss {
  id: string;
  source: string;
  kind: string;
  label_basis: string;
  score: number;
  risk_level: RiskLevel;
  reasoning: string;
  violations: string[];
  score_components: Assessment['score_components'];
  decomposition: Assessment['decomposition'];
  event: AgentEvent;
}

/** Keeps the worst `limit` of each label while records stream by; the earlier record wins a tie. */
export class Misses {
  readonly #limit: number;
  /** Highest score first. */
  readonly benign: Miss[] = [];
  /** Lowest score first. */
  readonly harmful: Miss[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(record: LabelledRecord, event: AgentEvent, assessment: Assessment): void {
    const list = record.label === 1 ? this.harmful : this.benign;
    const isWorse = (score: number, than: Miss): boolean =>
      record.label === 1 ? score < than.score : score > than.score;
    const at = list.findIndex((miss) => isWorse(assessment.score, miss));
    if (at === -1 && list.length >= this.#limit) return;
    list.splice(at === -1 ? list.length : at, 0, toMiss(record, event, assessment));
    list.length = Math.min(list.length, this.#limit);
  }
}

function toMiss(record: LabelledRecord, event: AgentEvent, assessment: Assessment): Miss {
  return {
    id: record.id,
    source: record.source,
    kind: record.kind,
    label_basis: record.label_basis,
    score: assessment.score,
    risk_level: levelOf(assessment.score),
    reasoning: assessment.reasoning,
    violations: assessment.violations,
    score_components: assessment.score_components,
    decomposition: assessment.decomposition,
    event,
  };
}
