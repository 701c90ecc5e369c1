/** Where second opinions come from: the provider of the settings, or an oracle that knows the label. */
import { createBudget } from '../../../src/engine/llm/budget.ts';
import { createConsult } from '../../../src/engine/llm/consult.ts';
import { createReviewer } from '../../../src/engine/llm/review.ts';
import type { AgentEvent } from '../../../src/events/event.ts';
import { createAsk } from '../../../src/llm/ask.ts';
import { createBreakers } from '../../../src/llm/breakers.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import type { Settings } from '../../../src/platform/settings.ts';
import { CliError } from '../../../src/platform/terminal/output.ts';
import { blend } from '../../../src/scoring/blend.ts';
import type { Knowledge } from '../../../src/scoring/knowledge.ts';
import { NO_POLICY } from '../../../src/scoring/policy/policy.ts';
import type { Assessment, LlmOpinion } from '../../../src/scoring/types.ts';
import type { Label } from '../metrics.ts';

/** The assessment with a second opinion. */
export type SecondOpinion = (event: AgentEvent, assessment: Assessment, label: Label) => Promise<Assessment>;

/** What an oracle says: as sure as a good model, and always right. It shows what asking there can bring at most. */
const ORACLE = { harmful: 95, benign: 5, confidence: 0.95 };

export const oracle: SecondOpinion = async (_event, assessment, label) => {
  const score = label === 1 ? ORACLE.harmful : ORACLE.benign;
  const opinion: LlmOpinion = {
    model: 'oracle',
    was_asked: true,
    verdict: { score, confidence: ORACLE.confidence, reasons: [] },
    trouble: null,
    was_cached: false,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
  };
  return blend(assessment, opinion);
};

/** Asked as the server asks it, without a budget. */
export function ofProvider(settings: Settings, { ontology }: Knowledge): SecondOpinion {
  const { LLM_PROVIDER: provider, LLM_MODEL: model, LLM_API_KEY: api_key, LLM_BASE_URL: base_url } = settings;
  if (provider === null || model === null)
    throw new CliError('no language model is set up: set LLM_PROVIDER and LLM_MODEL, or write --llm oracle');
  const clock = systemClock;
  const metrics = createMetrics();
  const consult = createConsult({
    ask: createAsk(provider, { model, api_key, base_url }),
    breakers: createBreakers(),
    budget: createBudget(0, { increment: async () => 0 }, clock),
    concurrency: settings.LLM_CONCURRENCY,
    prices: { input: settings.LLM_PRICE_INPUT, output: settings.LLM_PRICE_OUTPUT },
    clock,
    metrics,
  });
  const reviewer = createReviewer({
    consult,
    model,
    ontology,
    confidence_below: settings.LLM_CONFIDENCE_BELOW,
    hold_threshold: settings.HOLD_THRESHOLD,
    deadline_ms: settings.LLM_TIMEOUT_MS,
    max_output_tokens: settings.LLM_MAX_OUTPUT_TOKENS,
    metrics,
  });
  return (event, assessment) => reviewer.review('evaluation', event, assessment, NO_POLICY, 'patient');
}
