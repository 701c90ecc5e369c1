/** The second opinion of a language model on events of which the rules are unsure. */
import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../events/event.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { blend, NO_RELIEF, type Relief } from '../../scoring/blend.ts';
import { sensitivityOf } from '../../scoring/sensitivity.ts';
import type { Assessment, CompiledPolicy, LlmOpinion, LlmVerdict } from '../../scoring/types.ts';
import type { Consult, Consulted } from './consult.ts';
import { documentOf, verdictQuestion } from './verdict-question.ts';

export interface Reviewer {
  /** Whether a model is asked about a score: by its confidence alone, so that no text can skip the question or force it. */
  isUnsure(assessment: Assessment): boolean;
  /**
   * The assessment with the model's opinion in it, or with the reason why there is none. Never rejects.
   *
   * @param is_later nobody waits for the answer
   */
  review(
    customer_id: string,
    event: AgentEvent,
    assessment: Assessment,
    policy: CompiledPolicy,
    is_later: boolean,
  ): Promise<Assessment>;
}

export interface ReviewParts {
  consult: Consult;
  model: string;
  ontology: Ontology;
  /** Scores with a lower confidence are reviewed. */
  confidence_below: number;
  deadline_ms: number;
  max_output_tokens: number;
  metrics: Pick<Metrics, 'llm_calls'>;
}

/** Answers that are kept, and for how long: a model behind a name changes without notice. */
const MAX_ANSWERS = 10_000;
const ANSWER_MS = 3_600_000;

const NO_COST = { input_tokens: 0, output_tokens: 0, cost_usd: null };

export function createReviewer(parts: ReviewParts): Reviewer {
  const { consult, model, ontology, confidence_below, deadline_ms, max_output_tokens, metrics } = parts;
  const answers = new LRUCache<string, LlmVerdict>({ max: MAX_ANSWERS, ttl: ANSWER_MS });
  const running = new Map<string, Promise<Consulted<LlmVerdict>>>();

  async function opinionOn(customer_id: string, document: string, is_later: boolean): Promise<LlmOpinion> {
    // Everything that the answer depends on; with the customer, so that no answer tells what another customer sent.
    const key = createHash('sha256').update(`${customer_id}\n${model}\n${document}`).digest('base64');
    const known = answers.get(key);
    if (known !== undefined) {
      metrics.llm_calls.inc({ purpose: 'score', outcome: 'cached' });
      return { model, was_asked: true, verdict: known, trouble: null, was_cached: true, ...NO_COST };
    }
    const other = running.get(key);
    const consulted = await (other ?? ask(key, customer_id, document, is_later));
    const { value: verdict, trouble, input_tokens, output_tokens, cost_usd } = consulted;
    const was_asked = consulted.trouble === null || consulted.was_asked;
    // The event that asked first has the cost.
    const cost = other === undefined ? { input_tokens, output_tokens, cost_usd } : NO_COST;
    return { model, was_asked, verdict, trouble, was_cached: other !== undefined && verdict !== null, ...cost };
  }

  function ask(key: string, customer_id: string, document: string, is_later: boolean): Promise<Consulted<LlmVerdict>> {
    const question = verdictQuestion(document, randomBytes(16).toString('hex'), max_output_tokens);
    const asked = consult(customer_id, question, { purpose: 'score', deadline_ms, is_later })
      .then((consulted) => {
        if (consulted.value !== null) answers.set(key, consulted.value);
        return consulted;
      })
      .finally(() => running.delete(key));
    // An event whose caller waits must not wait with those that have more time.
    if (!is_later) running.set(key, asked);
    return asked;
  }

  return {
    isUnsure: ({ confidence }) => confidence < confidence_below,
    async review(customer_id, event, assessment, policy, is_later) {
      const opinion = await opinionOn(customer_id, documentOf(event, assessment, ontology), is_later);
      return Object.freeze(blend(assessment, opinion, reliefOf(event, policy, ontology)));
    },
  };
}

function reliefOf(event: AgentEvent, { llm_relief: points }: CompiledPolicy, ontology: Ontology): Relief {
  return points === 0 ? NO_RELIEF : { points, sensitivity: sensitivityOf(event, ontology) };
}
