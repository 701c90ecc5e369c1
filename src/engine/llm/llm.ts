/** The language model with everything that scores and justifications need of it, made from the settings. */
import type { Ask } from '../../llm/ask.ts';
import { createBreakers } from '../../llm/breakers.ts';
import type { CheckLlm } from '../../llm/health.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import type { Justify } from '../justify.ts';
import { createBudget } from './budget.ts';
import { createConsult } from './consult.ts';
import { createWriter, type WriteJustification } from './justification.ts';
import { createReviewer, type Reviewer } from './review.ts';

export interface Llm {
  reviewer: Reviewer;
  /** Justifications with the model's analysis. */
  writer(justify: Justify): WriteJustification;
  /** Never rejects. */
  check: CheckLlm;
}

export interface LlmParts {
  /** The provider that `compose.ts` chose. */
  ask: Ask;
  check: CheckLlm;
  model: string;
  settings: Settings;
  ontology: Ontology;
  cache: Cache;
  clock: Clock;
  metrics: Metrics;
  log: Log;
}

/** Six sentences with their ids. */
const LEAST_JUSTIFICATION_TOKENS = 1_500;

export function createLlm({ ask, check, model, settings, ontology, cache, clock, metrics, log }: LlmParts): Llm {
  const breakers = createBreakers(undefined, ({ kind, status }) =>
    log.warn({ kind, status }, 'the language model fails; scores are those of the rules until it answers again'),
  );
  const consult = createConsult({
    ask,
    breakers,
    budget: createBudget(settings.LLM_CALLS_PER_HOUR, cache, clock),
    concurrency: settings.LLM_CONCURRENCY,
    prices: { input: settings.LLM_PRICE_INPUT, output: settings.LLM_PRICE_OUTPUT },
    clock,
    metrics,
  });
  const max_output_tokens = settings.LLM_MAX_OUTPUT_TOKENS;
  return {
    reviewer: createReviewer({
      consult,
      model,
      ontology,
      confidence_below: settings.LLM_CONFIDENCE_BELOW,
      hold_threshold: settings.HOLD_THRESHOLD,
      deadline_ms: settings.LLM_TIMEOUT_MS,
      max_output_tokens,
      metrics,
    }),
    writer: (justify) =>
      createWriter(justify, {
        consult,
        model,
        ontology,
        deadline_ms: settings.LLM_JUSTIFICATION_TIMEOUT_MS,
        max_output_tokens: Math.max(max_output_tokens, LEAST_JUSTIFICATION_TOKENS),
      }),
    check: async () => (breakers.isOpen() ? { status: 'error', model } : check()),
  };
}
