/** The reviewer of scores as `compose.ts` makes it, in this process: calls go to a stand-in on the wire, or to a behaviour at once. */
import { createBudget } from '../../../src/engine/llm/budget.ts';
import { createConsult } from '../../../src/engine/llm/consult.ts';
import { createReviewer, type Reviewer } from '../../../src/engine/llm/review.ts';
import { type Ask, createAsk } from '../../../src/llm/ask.ts';
import { type Breakers, createBreakers } from '../../../src/llm/breakers.ts';
import { LlmTrouble } from '../../../src/llm/trouble.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { knowledge } from '../../support/knowledge.ts';
import type { Behaviour } from './server.ts';

export const PROVIDER_KEY = 'key-of-the-provider-0123456789';

export interface OwnReviewer extends Reviewer {
  breakers: Breakers;
  metrics_text(): Promise<string>;
}

export interface OwnReviewerOptions {
  deadline_ms?: number;
  concurrency?: number;
  calls_per_hour?: number;
  /** Milliseconds that a breaker stays open. */
  open_ms?: number;
}

/** Every score is unsure enough. */
export function ownReviewer(ask: Ask, options: OwnReviewerOptions = {}): OwnReviewer {
  const { deadline_ms = 20_000, concurrency = 16, calls_per_hour = 0, open_ms = 30_000 } = options;
  const metrics = createMetrics();
  const breakers = createBreakers({ failures: 5, open_ms });
  const counts = new Map<string, number>();
  const increment = async (key: string, by: number): Promise<number> => {
    counts.set(key, (counts.get(key) ?? 0) + by);
    return counts.get(key)!;
  };
  const budget = createBudget(calls_per_hour, { increment }, systemClock);
  const prices = { input: 1, output: 5 };
  const consult = createConsult({ ask, breakers, budget, concurrency, prices, clock: systemClock, metrics });
  const rest = { confidence_below: 1.1, hold_threshold: 'none' as const, deadline_ms, max_output_tokens: 500, metrics };
  const reviewer = createReviewer({ consult, model: 'claude-stand-in', ontology: knowledge.ontology, ...rest });
  return { ...reviewer, breakers, metrics_text: metrics.text };
}

export const askOf = (url: string): Ask =>
  createAsk('anthropic', { model: 'claude-stand-in', api_key: PROVIDER_KEY, base_url: url });

/** Without the wire: for thousands of questions. */
export const askBehaviour =
  (behaviour: Behaviour): Ask =>
  async ({ instructions, data, schema, read }) => {
    const rest = { model: 'claude-stand-in', schema: schema.json, has_tools: false, key: PROVIDER_KEY };
    const value = read(behaviour({ format: 'anthropic', instructions, data, ...rest }));
    if (value === null) throw new LlmTrouble('malformed', 'not of the schema', { is_of_content: true });
    return { value, usage: { input_tokens: 100, output_tokens: 10 } };
  };
